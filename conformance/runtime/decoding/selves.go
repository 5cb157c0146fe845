package decoding

import (
	"math/rand"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/randfill"
)

// Kinds that contain themselves, or embed pointers.
type (
	// Menu contains items of any price, which contain items of their own type.
	Menu struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Items             []MenuItem `json:"items,omitempty"`
	}
	// MenuItem is an item of a Menu.
	MenuItem struct {
		Name  string     `json:"name,omitempty"`
		Price any        `json:"price,omitempty"`
		Items []MenuItem `json:"items,omitempty"`
	}
	// MenuList is a list whose items also contain items.
	MenuList struct {
		metav1.TypeMeta `json:",inline"`
		metav1.ListMeta `json:"metadata,omitempty"`
		Items           []Menu `json:"items"`
	}

	// Crate contains lists of its own kind.
	Crate struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Content           *CrateList           `json:"content,omitempty"`
		ByName            map[string]CrateList `json:"byName,omitempty"`
		Forest            *Forest[MenuItem]    `json:"forest,omitempty"`
	}
	// CrateList is a list of pointers.
	CrateList struct {
		metav1.TypeMeta `json:",inline"`
		metav1.ListMeta `json:"metadata,omitempty"`
		Items           []*Crate `json:"items"`
	}
	// Forest contains itself through another generic type, a slice and a map.
	Forest[T any] struct {
		Trees  []Tree[T]            `json:"trees,omitempty"`
		ByName map[string]Forest[T] `json:"byName,omitempty"`
	}
	// Tree is half of a Forest.
	Tree[T any] struct {
		Value T          `json:"value,omitempty"`
		Left  *Tree[T]   `json:"left,omitempty"`
		Wood  *Forest[T] `json:"wood,omitempty"`
	}

	// Loose embeds its metadata by a pointer.
	Loose struct {
		metav1.TypeMeta    `json:",inline"`
		*metav1.ObjectMeta `json:"metadata,omitempty"`
		*MenuItem          `json:"item,omitempty"`
		Kind               string `json:"Kind,omitempty"`
	}
	// LooseList is a list of them.
	LooseList struct {
		metav1.TypeMeta  `json:",inline"`
		*metav1.ListMeta `json:"metadata,omitempty"`
		Items            []Loose `json:"items"`
	}
	// Looser embeds everything by pointers, with a shadowed name.
	Looser struct {
		*metav1.TypeMeta   `json:",inline"`
		*metav1.ObjectMeta `json:"metadata,omitempty"`
		*MenuItem
		Name int `json:"name,omitempty"`
	}
	// LooserList is a list of them.
	LooserList struct {
		*metav1.TypeMeta `json:",inline"`
		*metav1.ListMeta `json:"metadata,omitempty"`
		Items            []*Looser `json:"items"`
	}
)

// GetObjectKind returns the kind and apiVersion of the object; its field Kind is a different one.
func (l *Loose) GetObjectKind() schema.ObjectKind { return &l.TypeMeta }

// DeepCopyObject returns a shallow copy: these objects are never modified.
func (m *Menu) DeepCopyObject() runtime.Object { c := *m; return &c }

// DeepCopyObject returns a shallow copy.
func (l *MenuList) DeepCopyObject() runtime.Object { c := *l; return &c }

// DeepCopyObject returns a shallow copy.
func (c *Crate) DeepCopyObject() runtime.Object { d := *c; return &d }

// DeepCopyObject returns a shallow copy.
func (l *CrateList) DeepCopyObject() runtime.Object { c := *l; return &c }

// DeepCopyObject returns a shallow copy.
func (l *Loose) DeepCopyObject() runtime.Object { c := *l; return &c }

// DeepCopyObject returns a shallow copy.
func (l *LooseList) DeepCopyObject() runtime.Object { c := *l; return &c }

// DeepCopyObject returns a shallow copy.
func (l *Looser) DeepCopyObject() runtime.Object { c := *l; return &c }

// DeepCopyObject returns a shallow copy.
func (l *LooserList) DeepCopyObject() runtime.Object { c := *l; return &c }

// addSelves registers the kinds above.
func addSelves(s *runtime.Scheme) error {
	s.AddKnownTypes(schema.GroupVersion{Group: "selves.example.com", Version: "v1"},
		&Menu{}, &MenuList{}, &Crate{}, &CrateList{}, &Loose{}, &LooseList{}, &Looser{}, &LooserList{})
	return nil
}

// fillSelves returns the functions that fill types that cannot be filled automatically.
func fillSelves(serializer.CodecFactory) []any {
	return []any{
		func(v *any, c randfill.Continue) {
			values := []any{nil, int64(c.Int31()), 1.5, "x", true, []any{int64(1)}, map[string]any{"a": int64(2)}}
			*v = values[c.Intn(len(values))]
		},
		func(t **metav1.TypeMeta, _ randfill.Continue) { *t = &metav1.TypeMeta{} },
	}
}

// elements limits the number of elements in slices and maps: kinds that contain themselves in
// several ways would otherwise become too large.
func elements(gvk schema.GroupVersionKind, random *rand.Rand) int {
	if gvk.Group == "selves.example.com" {
		return 1 + random.Intn(2)
	}
	return 3
}
