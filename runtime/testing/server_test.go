package testing_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	fakes "github.com/listwatch/listwatch/runtime/testing"
)

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		call func(fakes.ObjectTracker) error
		is   func(error) bool
		want string
	}{
		{"get a missing object", func(o fakes.ObjectTracker) error {
			_, err := o.Get(widgets, "ns", "b")
			return err
		}, apierrors.IsNotFound, `widgets.example.com "b" not found`},
		{"get in another namespace", func(o fakes.ObjectTracker) error {
			_, err := o.Get(widgets, "", "a")
			return err
		}, apierrors.IsNotFound, `widgets.example.com "a" not found`},
		{"get of another resource", func(o fakes.ObjectTracker) error {
			_, err := o.Get(gadgets, "ns", "a")
			return err
		}, apierrors.IsNotFound, `gadgets.example.com "a" not found`},
		{"create an existing object", func(o fakes.ObjectTracker) error {
			return o.Create(widgets, widget("a"), "ns")
		}, apierrors.IsAlreadyExists, `widgets.example.com "a" already exists`},
		{"add an existing object", func(o fakes.ObjectTracker) error {
			return o.Add(widget("a"))
		}, apierrors.IsAlreadyExists, `widgets.example.com "a" already exists`},
		{"create in another namespace", func(o fakes.ObjectTracker) error {
			return o.Create(widgets, widget("b"), "other")
		}, apierrors.IsBadRequest, `request namespace does not match object namespace, request: "other" object: "ns"`},
		{"update in another namespace", func(o fakes.ObjectTracker) error {
			return o.Update(widgets, widget("b", in("other")), "ns")
		}, apierrors.IsNotFound, `widgets.example.com "b" not found`},
		{"update to another namespace", func(o fakes.ObjectTracker) error {
			return o.Update(widgets, widget("a", in("other")), "ns")
		}, apierrors.IsBadRequest, `request namespace does not match object namespace, request: "ns" object: "other"`},
		{"update a missing object", func(o fakes.ObjectTracker) error {
			return o.Update(widgets, widget("b"), "ns")
		}, apierrors.IsNotFound, `widgets.example.com "b" not found`},
		{"patch a missing object", func(o fakes.ObjectTracker) error {
			return o.Patch(widgets, widget("b"), "ns")
		}, apierrors.IsNotFound, `widgets.example.com "b" not found`},
		{"stale update", func(o fakes.ObjectTracker) error {
			return o.Update(widgets, widget("a", version("1")), "ns")
		}, apierrors.IsConflict, `Operation cannot be fulfilled on widgets.example.com "a": the object has been modified; please apply your changes to the latest version and try again`},
		{"stale patch", func(o fakes.ObjectTracker) error {
			return o.Patch(widgets, widget("a", version("1")), "ns")
		}, apierrors.IsConflict, `Operation cannot be fulfilled on widgets.example.com "a": the object has been modified; please apply your changes to the latest version and try again`},
		{"update of another incarnation", func(o fakes.ObjectTracker) error {
			return o.Update(widgets, widget("a", uid("2")), "ns")
		}, apierrors.IsConflict, `Operation cannot be fulfilled on widgets.example.com "a": Precondition failed: UID in precondition: 2, UID in object meta: 1`},
		{"delete a missing object", func(o fakes.ObjectTracker) error {
			return o.Delete(widgets, "ns", "b")
		}, apierrors.IsNotFound, `widgets.example.com "b" not found`},
		{"delete of a resource that is not there", func(o fakes.ObjectTracker) error {
			return o.Delete(gadgets, "ns", "a")
		}, apierrors.IsNotFound, `gadgets.example.com "a" not found`},
		{"delete of another incarnation", func(o fakes.ObjectTracker) error {
			return o.Delete(widgets, "ns", "a", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: ptr.To(types.UID("2"))}})
		}, apierrors.IsConflict, `Operation cannot be fulfilled on widgets.example.com "a": the UID in the precondition (2) does not match the UID in record (1). The object might have been deleted and then recreated`},
		{"stale delete", func(o fakes.ObjectTracker) error {
			return o.Delete(widgets, "ns", "a", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: ptr.To("1")}})
		}, apierrors.IsConflict, `Operation cannot be fulfilled on widgets.example.com "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (2). The object might have been modified`},
		{"two options", func(o fakes.ObjectTracker) error {
			_, err := o.Get(widgets, "ns", "a", metav1.GetOptions{}, metav1.GetOptions{})
			return err
		}, nil, "expected only one option argument but got 2"},
		{"add a kind that is not registered", func(o fakes.ObjectTracker) error {
			return o.Add(&metav1.APIGroup{})
		}, nil, "object does not implement the Object interfaces"},
		{"list a kind that is not registered", func(o fakes.ObjectTracker) error {
			_, err := o.List(widgets, widgetVersion.WithKind("Thing"), "ns")
			return err
		}, runtime.IsNotRegisteredError, `no kind "ThingList" is registered for version "example.com/v1"`},
		{"list a kind without a list", func(o fakes.ObjectTracker) error {
			scheme := newScheme()
			scheme.AddKnownTypeWithName(widgetVersion.WithKind("ScaleList"), &Scale{})
			_, err := fakes.NewServerObjectTracker(scheme, nil, nil).List(widgets, widgetVersion.WithKind("Scale"), "ns")
			return err
		}, nil, `"ScaleList" is not a list type`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tracker := newTracker(t, widget("a", uid("1")))
			err := c.call(tracker)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if c.is != nil && !c.is(err) {
				t.Errorf("got reason %s", apierrors.ReasonForError(err))
			}
			same(t, get(t, tracker, "a"), widget("a", uid("1")))
		})
	}
}

func TestVersionsGrowOverAllResources(t *testing.T) {
	tracker := newTracker(t, &WidgetList{Items: []Widget{*widget("a"), *widget("b", version("7"))}})
	var got []string
	see := func(gvr, name string) {
		t.Helper()
		obj, err := tracker.Get(widgetVersion.WithResource(gvr), "ns", name)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, name+" "+obj.(metav1.Object).GetResourceVersion())
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	see("widgets", "a")
	see("widgets", "b")
	must(tracker.Create(gadgets, gadget("g", nil), "ns"))
	see("gadgets", "g")
	must(tracker.Update(widgets, widget("a", colour("red")), "ns"))
	see("widgets", "a")
	must(tracker.Delete(widgets, "ns", "a"))
	must(tracker.Patch(gadgets, gadget("g", nil), "ns"))
	see("gadgets", "g")
	list, err := tracker.List(widgets, widgetKind, "")
	must(err)
	got = append(got, "list "+list.(*WidgetList).ResourceVersion)
	if diff := cmp.Diff([]string{"a 2", "b 3", "g 4", "a 5", "g 7", "list 7"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnEmptyListHasAVersion(t *testing.T) {
	list, err := newTracker(t).List(widgets, widgetKind, "")
	if err != nil {
		t.Fatal(err)
	}
	if got := list.(*WidgetList).ResourceVersion; got != "1" {
		t.Errorf("got version %q, want 1", got)
	}
}

func TestWhichVersionsUpdate(t *testing.T) {
	for _, c := range []struct {
		name     string
		versions []string // of the updates, in order
		conflict bool     // whether the last one conflicts
	}{
		{"none", []string{"", ""}, false},
		{"the current", []string{"2", "3"}, false},
		{"one of the past", []string{"2", "2"}, true},
		{"one of the future", []string{"3"}, true},
		{"no number", []string{"x"}, true},
		{"the one it was seeded with", []string{"seed"}, false},
		{"the one it was seeded with, after a change", []string{"seed", "seed"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			tracker := newTracker(t, widget("a", version("seed")))
			for i, v := range c.versions {
				err := tracker.Update(widgets, widget("a", version(v)), "ns")
				if want := c.conflict && i == len(c.versions)-1; apierrors.IsConflict(err) != want || !want && err != nil {
					t.Errorf("update %d: got %v", i, err)
				}
			}
		})
	}
}

func TestCreateTakesAnObjectThatWasRead(t *testing.T) {
	tracker := newTracker(t, widget("a"))
	read := get(t, tracker, "a")
	if err := tracker.Delete(widgets, "ns", "a"); err != nil {
		t.Fatal(err)
	}
	if err := tracker.Create(widgets, read, "ns"); err != nil {
		t.Fatal(err)
	}
	if got := get(t, tracker, "a").ResourceVersion; got != "4" {
		t.Errorf("got version %s, want 4", got)
	}
}

func TestUpdateKeepsWhatAServerKeeps(t *testing.T) {
	born := metav1.Unix(1000, 0)
	tracker := newTracker(t, widget("a", uid("1"), colour("red"), phase("on"), func(w *Widget) { w.CreationTimestamp = born }))
	if err := tracker.Update(widgets, widget("a"), "ns"); err != nil {
		t.Fatal(err)
	}
	same(t, get(t, tracker, "a"), widget("a", uid("1"), func(w *Widget) { w.CreationTimestamp = born }))
}

func TestGenerateName(t *testing.T) {
	tracker := newTracker(t)
	fake := &fakes.Fake{}
	if err := fakes.TrackObjects(fake, tracker); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	long := strings.Repeat("x", 70) + "-"
	for range 40 {
		for _, prefix := range []string{"job-", long} {
			obj := widget("", func(w *Widget) { w.GenerateName = prefix })
			got, err := fake.Invokes(fakes.NewCreateAction(widgets, "ns", obj), nil)
			if err != nil {
				t.Fatal(err)
			}
			name := got.(*Widget).Name
			if obj.Name != "" {
				t.Error("the caller's object was named")
			}
			if !strings.HasPrefix(name, prefix[:min(len(prefix), 58)]) || len(name) != min(len(prefix), 58)+5 {
				t.Errorf("got name %q", name)
			}
			if names[name] {
				t.Errorf("got name %q twice", name)
			}
			names[name] = true
			get(t, tracker, name)
		}
	}
	err := tracker.Create(widgets, widget("given", func(w *Widget) { w.GenerateName = "job-" }), "ns")
	if err != nil {
		t.Fatal(err)
	}
	get(t, tracker, "given")
}

func TestGeneratedNamesAreFree(t *testing.T) {
	// next returns the name that is generated next in a tracker with these objects.
	next := func(objects ...runtime.Object) string {
		t.Helper()
		fake := &fakes.Fake{}
		if err := fakes.TrackObjects(fake, newTracker(t), objects...); err != nil {
			t.Fatal(err)
		}
		obj, err := fake.Invokes(fakes.NewCreateAction(widgets, "ns", widget("", func(w *Widget) { w.GenerateName = "job-" })), nil)
		if err != nil {
			t.Fatal(err)
		}
		return obj.(*Widget).Name
	}
	taken := next(widget("a"))
	if again := next(widget("b")); again != taken {
		t.Errorf("got %s and %s: names are not the same in each run", taken, again)
	}
	if got := next(widget(taken)); got == taken {
		t.Errorf("got %s, which is taken", got)
	}
}

func TestNothingIsShared(t *testing.T) {
	round := true
	given := widget("a", label("k", "v"), func(w *Widget) { w.Spec.Round = &round })
	want := given.DeepCopyObject()
	tracker := newTracker(t, given)
	watcher, err := tracker.Watch(widgets, "ns", metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Stop()
	spoil := func(w *Widget) {
		w.Labels["k"] = "spoilt"
		*w.Spec.Round = false
	}
	spoil(given)
	spoil(get(t, tracker, "a"))
	list, err := tracker.List(widgets, widgetKind, "ns")
	if err != nil {
		t.Fatal(err)
	}
	spoil(&list.(*WidgetList).Items[0])
	spoil((<-watcher.ResultChan()).Object.(*Widget))
	same(t, get(t, tracker, "a"), want)

	update := want.DeepCopyObject().(*Widget)
	if err := tracker.Update(widgets, update, "ns"); err != nil {
		t.Fatal(err)
	}
	spoil(update)
	spoil((<-watcher.ResultChan()).Object.(*Widget))
	same(t, get(t, tracker, "a"), want)

	react := fakes.ObjectReaction(tracker)
	if err := tracker.Delete(widgets, "ns", "a"); err != nil {
		t.Fatal(err)
	}
	for _, action := range []fakes.Action{
		fakes.NewCreateAction(widgets, "ns", want),
		fakes.NewUpdateAction(widgets, "ns", want),
		fakes.NewPatchAction(widgets, "ns", "a", types.MergePatchType, []byte("{}")),
	} {
		_, answer, err := react(action)
		if err != nil {
			t.Fatal(err)
		}
		spoil(answer.(*Widget))
		same(t, get(t, tracker, "a"), want)
	}
}

func TestInternalKindsHaveResourcesWithoutVersion(t *testing.T) {
	scheme := runtime.NewScheme()
	internal := schema.GroupVersion{Group: "example.com", Version: runtime.APIVersionInternal}
	scheme.AddKnownTypes(internal, &Widget{}, &WidgetList{})
	tracker := fakes.NewServerObjectTracker(scheme, nil, nil)
	if err := tracker.Add(widget("a")); err != nil {
		t.Fatal(err)
	}
	gvr := schema.GroupVersionResource{Group: "example.com", Resource: "widgets"}
	list, err := tracker.List(gvr, schema.GroupVersionKind{Group: "example.com", Kind: "Widget"}, "")
	if err != nil || len(list.(*WidgetList).Items) != 1 {
		t.Errorf("got %v, %v", list, err)
	}
}

func TestAddOfAKindWithSeveralNames(t *testing.T) {
	scheme := newScheme()
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v2", Kind: "Widget"}, &Widget{})
	tracker := fakes.NewServerObjectTracker(scheme, nil, nil)
	if err := tracker.Add(widget("a")); err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"v1", "v2"} {
		gvr := schema.GroupVersionResource{Group: "example.com", Version: version, Resource: "widgets"}
		if _, err := tracker.Get(gvr, "ns", "a"); err != nil {
			t.Error(err)
		}
		patch := fmt.Appendf(nil, `{"apiVersion":"example.com/%s","kind":"Widget"}`, version)
		action := fakes.NewPatchActionWithOptions(gvr, "ns", "a", types.ApplyPatchType, patch, metav1.PatchOptions{FieldManager: "m"})
		if _, _, err := fakes.ObjectReaction(tracker)(action); err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
}

func TestAddPartialObjects(t *testing.T) {
	scheme := newScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	tracker := fakes.NewServerObjectTracker(scheme, nil, nil)
	partial := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p"}}
	partial.SetGroupVersionKind(gadgetKind)
	if err := tracker.Add(partial); err != nil {
		t.Fatal(err)
	}
	if _, err := tracker.Get(gadgets, "ns", "p"); err != nil {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	tracker := newTracker(t,
		widget("b"), widget("a"), widget("aa", in("other")),
		&unstructured.UnstructuredList{Items: []unstructured.Unstructured{*gadget("g", nil)}})
	for _, c := range []struct {
		namespace string
		want      []string
	}{
		{"ns", []string{"ns/a", "ns/b"}},
		{"other", []string{"other/aa"}},
		{"", []string{"ns/a", "ns/b", "other/aa"}},
		{"none", nil},
	} {
		list, err := tracker.List(widgets, widgetKind, c.namespace)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range list.(*WidgetList).Items {
			got = append(got, w.Namespace+"/"+w.Name)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: %s", c.namespace, diff)
		}
	}
	list, err := tracker.List(gadgets, gadgetKind, "")
	if err != nil {
		t.Fatal(err)
	}
	if items := list.(*unstructured.UnstructuredList).Items; len(items) != 1 || items[0].GetName() != "g" {
		t.Errorf("got %v", items)
	}
}
