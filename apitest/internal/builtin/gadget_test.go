package builtin_test

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Gadgets are a user's own kind, in two versions.
var (
	gadgetsV1 = schema.GroupVersion{Group: "shop.example.com", Version: "v1"}
	gadgetsV2 = schema.GroupVersion{Group: "shop.example.com", Version: "v2"}
)

type GadgetV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GadgetSpecV1 `json:"spec,omitempty"`
	Status            GadgetStatus `json:"status,omitempty"`
}

type GadgetSpecV1 struct {
	Size int64 `json:"size,omitempty"`
}

type GadgetStatus struct {
	Ready bool `json:"ready,omitempty"`
}

type GadgetV1List struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []GadgetV1 `json:"items"`
}

type GadgetV2 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GadgetSpecV2 `json:"spec,omitempty"`
	Status            GadgetStatus `json:"status,omitempty"`
}

type GadgetSpecV2 struct {
	Width  int64             `json:"width,omitempty"`
	Colors map[string]string `json:"colors,omitempty"`
}

type GadgetV2List struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []GadgetV2 `json:"items"`
}

func (g *GadgetV1) DeepCopyObject() runtime.Object {
	out := *g
	g.DeepCopyInto(&out.ObjectMeta)
	return &out
}

func (g *GadgetV2) DeepCopyObject() runtime.Object {
	out := *g
	g.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Colors = maps.Clone(g.Spec.Colors)
	return &out
}

func (l *GadgetV1List) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*GadgetV1))
	}
	return &out
}

func (l *GadgetV2List) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*GadgetV2))
	}
	return &out
}

// gadgets returns a scheme of gadgets, which converts between the versions if converts is set.
func gadgets(converts bool) *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypeWithName(gadgetsV1.WithKind("Gadget"), &GadgetV1{})
	s.AddKnownTypeWithName(gadgetsV1.WithKind("GadgetList"), &GadgetV1List{})
	s.AddKnownTypeWithName(gadgetsV2.WithKind("Gadget"), &GadgetV2{})
	s.AddKnownTypeWithName(gadgetsV2.WithKind("GadgetList"), &GadgetV2List{})
	metav1.AddToGroupVersion(s, gadgetsV1)
	metav1.AddToGroupVersion(s, gadgetsV2)
	if err := s.SetVersionPriority(gadgetsV2, gadgetsV1); err != nil {
		return nil
	}
	if !converts {
		return s
	}
	for _, err := range []error{
		s.AddConversionFunc((*GadgetV1)(nil), (*GadgetV2)(nil), func(a, b any, _ conversion.Scope) error {
			in, out := a.(*GadgetV1), b.(*GadgetV2)
			out.ObjectMeta, out.Spec.Width, out.Status = in.ObjectMeta, in.Spec.Size, in.Status
			return nil
		}),
		s.AddConversionFunc((*GadgetV2)(nil), (*GadgetV1)(nil), func(a, b any, _ conversion.Scope) error {
			in, out := a.(*GadgetV2), b.(*GadgetV1)
			out.ObjectMeta, out.Spec.Size, out.Status = in.ObjectMeta, in.Spec.Width, in.Status
			return nil
		}),
		s.AddConversionFunc((*GadgetV2List)(nil), (*GadgetV1List)(nil), func(a, b any, _ conversion.Scope) error {
			in, out := a.(*GadgetV2List), b.(*GadgetV1List)
			out.ListMeta = in.ListMeta
			for _, g := range in.Items {
				out.Items = append(out.Items, GadgetV1{ObjectMeta: g.ObjectMeta, Spec: GadgetSpecV1{Size: g.Spec.Width}, Status: g.Status})
			}
			return nil
		}),
	} {
		if err != nil {
			return nil
		}
	}
	return s
}
