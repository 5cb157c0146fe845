package v1

import (
	"k8s.io/apimachinery/pkg/labels"

	harbourv1 "github.com/listwatch/listwatch/testdata/apis/expansions/harbour/v1"
)

// BoatListerExpansion has the methods of BoatLister that are written by hand.
type BoatListerExpansion interface {
	// Moored lists the boats of all namespaces that have a berth.
	Moored() ([]*harbourv1.Boat, error)
}

// BoatNamespaceListerExpansion has the methods of BoatNamespaceLister that are
// written by hand.
type BoatNamespaceListerExpansion interface {
	// Moored lists the boats of the namespace that have a berth.
	Moored() ([]*harbourv1.Boat, error)
}

func (l *boatLister) Moored() ([]*harbourv1.Boat, error) {
	return moored(l.List(labels.Everything()))
}

func (l boatNamespaceLister) Moored() ([]*harbourv1.Boat, error) {
	return moored(l.List(labels.Everything()))
}

func moored(boats []*harbourv1.Boat, err error) ([]*harbourv1.Boat, error) {
	var out []*harbourv1.Boat
	for _, b := range boats {
		if b.Spec.Berth > 0 {
			out = append(out, b)
		}
	}
	return out, err
}
