package fake

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	harbourv1 "github.com/listwatch/listwatch/testdata/apis/expansions/harbour/v1"
)

func (c *fakeBoats) Moor(ctx context.Context, name string, berth int32) (*harbourv1.Boat, error) {
	boat, err := c.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	boat = boat.DeepCopy()
	boat.Spec.Berth = berth
	return c.Update(ctx, boat, metav1.UpdateOptions{})
}
