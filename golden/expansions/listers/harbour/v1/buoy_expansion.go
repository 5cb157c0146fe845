package v1

import (
	"k8s.io/apimachinery/pkg/labels"

	harbourv1 "github.com/listwatch/listwatch/testdata/apis/expansions/harbour/v1"
)

// BuoyListerExpansion has the methods of BuoyLister that are written by hand.
type BuoyListerExpansion interface {
	// Coloured lists the buoys that have a colour.
	Coloured() ([]*harbourv1.Buoy, error)
}

func (l *buoyLister) Coloured() ([]*harbourv1.Buoy, error) {
	buoys, err := l.List(labels.Everything())
	var out []*harbourv1.Buoy
	for _, b := range buoys {
		if b.Spec.Colour != "" {
			out = append(out, b)
		}
	}
	return out, err
}
