package perturb

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Invariant is a condition that holds at all times.
type Invariant struct {
	Name string
	// Holds returns an error that describes what is wrong with a state. It must not modify the state.
	Holds func(State) error
}

// State is the objects of a server after a write: those of the resources that the program or its users have used.
type State struct {
	objects map[string]*unstructured.Unstructured // by resource, namespace and name
}

// Objects returns the objects of a resource, such as "secrets" or "deployments.apps", ordered by namespace and name.
func (s State) Objects(resource string) []*unstructured.Unstructured {
	var found []*unstructured.Unstructured
	for key, object := range s.objects {
		if strings.HasPrefix(key, resource+" ") {
			found = append(found, object)
		}
	}
	slices.SortFunc(found, func(a, b *unstructured.Unstructured) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	return found
}

func objectKey(v version) string {
	return v.resource + " " + v.object.GetNamespace() + "/" + v.object.GetName()
}

// apply brings a state to a later version.
func (s State) apply(v version) {
	if v.deleted {
		delete(s.objects, objectKey(v))
	} else {
		s.objects[objectKey(v)] = v.object
	}
}
