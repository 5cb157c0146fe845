package v1

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
)

// Copy returns a copy that shares nothing.
func (s CastSpec) Copy() CastSpec { return CastSpec{Metals: slices.Clone(s.Metals)} }

// Copy returns a copy.
func (s CastStatus) Copy() CastStatus { return s }

// DeepCopyObject returns a copy that shares nothing.
func (c *Cast) DeepCopyObject() runtime.Object { return &Cast{Object: c.Object.copy()} }

// DeepCopyObject returns a copy that shares nothing.
func (l *CastList) DeepCopyObject() runtime.Object {
	out := &CastList{List: List[Cast]{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}}
	for _, c := range l.Items {
		out.Items = append(out.Items, Cast{Object: c.Object.copy()})
	}
	return out
}
