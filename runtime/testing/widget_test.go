package testing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	fakes "github.com/listwatch/listwatch/runtime/testing"
)

var (
	widgetVersion = schema.GroupVersion{Group: "example.com", Version: "v1"}
	widgets       = widgetVersion.WithResource("widgets")
	widgetKind    = widgetVersion.WithKind("Widget")
	// gadgets are of a kind that no scheme contains.
	gadgets    = widgetVersion.WithResource("gadgets")
	gadgetKind = widgetVersion.WithKind("Gadget")
)

// Widget is the typed kind of these tests.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec,omitempty"`
	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetSpec has a field of each type that selectors distinguish.
type WidgetSpec struct {
	Colour  string            `json:"colour,omitempty"`
	Size    int32             `json:"size,omitempty"`
	Round   *bool             `json:"round,omitempty"`
	Made    *metav1.Time      `json:"made,omitempty"`
	Options map[string]string `json:"options,omitempty"`
	Parts   []Part            `json:"parts,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

// Part is an element of a list that is merged by name.
type Part struct {
	Name  string `json:"name"`
	Count int32  `json:"count,omitempty"`
}

// WidgetStatus is written through a subresource.
type WidgetStatus struct {
	Phase string   `json:"phase,omitempty"`
	Notes []string `json:"notes,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object {
	out := *w
	w.DeepCopyInto(&out.ObjectMeta)
	if w.Spec.Round != nil {
		out.Spec.Round = ptr.To(*w.Spec.Round)
	}
	out.Spec.Made = w.Spec.Made.DeepCopy()
	if w.Spec.Options != nil {
		out.Spec.Options = make(map[string]string)
		for k, v := range w.Spec.Options {
			out.Spec.Options[k] = v
		}
	}
	out.Spec.Parts = append([]Part(nil), w.Spec.Parts...)
	out.Status.Notes = append([]string(nil), w.Status.Notes...)
	return &out
}

// WidgetList is a list of widgets.
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Widget `json:"items"`
}

// DeepCopyObject implements runtime.Object.
func (l *WidgetList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Widget))
	}
	return &out
}

// Scale is the kind of a subresource.
type Scale struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Replicas          int32 `json:"replicas"`
}

// DeepCopyObject implements runtime.Object.
func (s *Scale) DeepCopyObject() runtime.Object {
	out := *s
	s.DeepCopyInto(&out.ObjectMeta)
	return &out
}

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(widgetVersion, &Widget{}, &WidgetList{}, &Scale{})
	scheme.AddKnownTypeWithName(widgetVersion.WithKind("GadgetList"), &unstructured.UnstructuredList{})
	metav1.AddToGroupVersion(scheme, widgetVersion)
	return scheme
}

// newTracker returns a tracker with the objects, which have the versions from 2 on.
func newTracker(t testing.TB, objects ...runtime.Object) fakes.ObjectTracker {
	t.Helper()
	scheme := newScheme()
	tracker := fakes.NewServerObjectTracker(scheme, serializer.NewCodecFactory(scheme).UniversalDecoder(), nil)
	for _, obj := range objects {
		if err := tracker.Add(obj); err != nil {
			t.Fatal(err)
		}
	}
	return tracker
}

func widget(name string, change ...func(*Widget)) *Widget {
	w := &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
	for _, change := range change {
		change(w)
	}
	return w
}

func in(namespace string) func(*Widget) { return func(w *Widget) { w.Namespace = namespace } }
func version(rv string) func(*Widget)   { return func(w *Widget) { w.ResourceVersion = rv } }
func colour(c string) func(*Widget)     { return func(w *Widget) { w.Spec.Colour = c } }
func phase(p string) func(*Widget)      { return func(w *Widget) { w.Status.Phase = p } }
func uid(id types.UID) func(*Widget)    { return func(w *Widget) { w.UID = id } }
func label(key, value string) func(*Widget) {
	return func(w *Widget) { metav1.SetMetaDataLabel(&w.ObjectMeta, key, value) }
}

func gadget(name string, content map[string]any) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	for k, v := range content {
		u.Object[k] = v
	}
	u.SetGroupVersionKind(gadgetKind)
	u.SetNamespace("ns")
	u.SetName(name)
	return u
}

// get returns the widget with that name in namespace ns.
func get(t testing.TB, tracker fakes.ObjectTracker, name string) *Widget {
	t.Helper()
	obj, err := tracker.Get(widgets, "ns", name)
	if err != nil {
		t.Fatal(err)
	}
	return obj.(*Widget)
}

// same compares objects, ignoring what the tracker sets.
func same(t testing.TB, got, want any) {
	t.Helper()
	opts := cmp.Options{cmpopts.IgnoreFields(metav1.ObjectMeta{}, "ResourceVersion", "ManagedFields"), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(want, got, opts); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
