package v1

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	harbourv1 "github.com/listwatch/listwatch/testdata/apis/expansions/harbour/v1"
)

// BoatExpansion has the methods of BoatInterface that are written by hand.
type BoatExpansion interface {
	// Moor puts a boat at a berth.
	Moor(ctx context.Context, name string, berth int32) (*harbourv1.Boat, error)
}

func (c *boats) Moor(ctx context.Context, name string, berth int32) (*harbourv1.Boat, error) {
	boat, err := c.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	boat.Spec.Berth = berth
	return c.Update(ctx, boat, metav1.UpdateOptions{})
}
