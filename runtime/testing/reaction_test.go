package testing_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	fakes "github.com/listwatch/listwatch/runtime/testing"
)

// wrapped is another package's tracker around one of this package.
type wrapped struct{ fakes.ObjectTracker }

func seed() *Widget { return widget("a", colour("red"), phase("off"), label("k", "v")) }

func TestSubresources(t *testing.T) {
	scale := &Scale{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}, Replicas: 3}
	nameless := &Scale{Replicas: 3}
	elsewhere := widget("b", phase("on"))
	changed := widget("a", colour("blue"), phase("on"))
	status := widget("a", colour("red"), phase("on"), label("k", "v"))
	patch := []byte(`{"metadata":{"labels":{"k":"w"}},"spec":{"colour":"blue"},"status":{"phase":"on"}}`)
	for _, c := range []struct {
		name   string
		action fakes.Action
		answer runtime.Object
		stored *Widget
		is     func(error) bool
	}{
		{"update of the status", fakes.NewUpdateSubresourceAction(widgets, "status", "ns", changed), status, status, nil},
		{"update of the whole", fakes.NewUpdateAction(widgets, "ns", changed), changed, changed, nil},
		{"update of a part", fakes.NewUpdateSubresourceAction(widgets, "approval", "ns", changed), changed, changed, nil},
		{"update of another kind", fakes.NewUpdateSubresourceAction(widgets, "scale", "ns", scale), scale, seed(), nil},
		{"update of nothing's status", fakes.NewUpdateSubresourceAction(widgets, "status", "ns", elsewhere), nil, seed(), apierrors.IsNotFound},
		{"stale update of the status", fakes.NewUpdateSubresourceAction(widgets, "status", "ns", widget("a", version("1"))), nil, seed(), apierrors.IsConflict},
		{"patch of the status", fakes.NewPatchSubresourceAction(widgets, "ns", "a", types.MergePatchType, patch, "status"), status, status, nil},
		{"patch of nothing's status", fakes.NewPatchSubresourceAction(widgets, "ns", "b", types.MergePatchType, patch, "status"), nil, seed(), apierrors.IsNotFound},
		{"creation of another kind", fakes.NewCreateSubresourceAction(widgets, "a", "scale", "ns", nameless), nameless, seed(), nil},
		{"creation of another kind by its name", fakes.NewCreateSubresourceAction(widgets, "", "scale", "ns", scale), scale, seed(), nil},
		{"creation of another kind of nothing", fakes.NewCreateSubresourceAction(widgets, "b", "scale", "ns", nameless), nil, seed(), apierrors.IsNotFound},
		{"creation of a part", fakes.NewCreateSubresourceAction(widgets, "a", "approval", "ns", changed), changed, changed, nil},
		{"get", fakes.NewGetSubresourceAction(widgets, "ns", "status", "a"), seed(), seed(), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			tracker := newTracker(t, seed())
			handled, obj, err := fakes.ObjectReaction(tracker)(c.action)
			if !handled {
				t.Fatal("not handled")
			}
			if c.is != nil {
				if !c.is(err) {
					t.Errorf("got %v", err)
				}
			} else if err != nil {
				t.Fatal(err)
			} else {
				same(t, obj, c.answer)
			}
			same(t, get(t, tracker, "a"), c.stored)
		})
	}
}

func TestSubresourcesOfWhatHasNoType(t *testing.T) {
	tracker := newTracker(t)
	if err := tracker.Create(gadgets, gadget("g", map[string]any{"spec": "s", "status": "off"}), "ns"); err != nil {
		t.Fatal(err)
	}
	react := fakes.ObjectReaction(tracker)
	for _, c := range []struct {
		given, want map[string]any
	}{
		{map[string]any{"spec": "t", "status": "on"}, map[string]any{"spec": "s", "status": "on"}},
		{map[string]any{"spec": "t"}, map[string]any{"spec": "s"}},
	} {
		if _, _, err := react(fakes.NewUpdateSubresourceAction(gadgets, "status", "ns", gadget("g", c.given))); err != nil {
			t.Fatal(err)
		}
		obj, err := tracker.Get(gadgets, "ns", "g")
		if err != nil {
			t.Fatal(err)
		}
		want := gadget("g", c.want)
		want.SetResourceVersion(obj.(metav1.Object).GetResourceVersion())
		if diff := cmp.Diff(runtime.Object(want), obj); diff != "" {
			t.Error(diff)
		}
	}
	other := gadget("g", nil)
	other.SetKind("Scale")
	if _, obj, err := react(fakes.NewUpdateSubresourceAction(gadgets, "scale", "ns", other)); err != nil || obj.GetObjectKind().GroupVersionKind().Kind != "Scale" {
		t.Errorf("got %v, %v", obj, err)
	}
	obj, err := tracker.Get(gadgets, "ns", "g")
	if err != nil || obj.GetObjectKind().GroupVersionKind() != gadgetKind {
		t.Errorf("got %v, %v", obj, err)
	}
}

func TestWrites(t *testing.T) {
	tracker := newTracker(t, seed())
	react := fakes.ObjectReaction(tracker)
	var got []string
	do := func(action fakes.Action) {
		t.Helper()
		handled, obj, err := react(action)
		if !handled {
			t.Fatalf("%v is not handled", action)
		}
		said := fmt.Sprint(action.GetVerb(), " ", apierrors.ReasonForError(err))
		if obj, ok := obj.(*Widget); ok && err == nil {
			said = fmt.Sprint(action.GetVerb(), " ", obj.ResourceVersion, " ", obj.Spec.Colour)
		}
		got = append(got, said)
	}
	do(fakes.NewCreateAction(widgets, "ns", widget("a")))
	do(fakes.NewCreateAction(widgets, "ns", widget("b", colour("red"))))
	do(fakes.NewUpdateAction(widgets, "ns", widget("b", colour("blue"))))
	do(fakes.NewPatchAction(widgets, "ns", "b", types.MergePatchType, []byte(`{"spec":{"colour":"grey"}}`)))
	do(fakes.NewPatchActionWithOptions(widgets, "ns", "c", types.ApplyPatchType,
		[]byte(`{"apiVersion":"example.com/v1","kind":"Widget","spec":{"colour":"pink"}}`), metav1.PatchOptions{FieldManager: "m"}))
	do(fakes.NewGetAction(widgets, "ns", "b"))
	do(fakes.NewDeleteAction(widgets, "ns", "b"))
	do(fakes.NewDeleteAction(widgets, "ns", "b"))
	do(fakes.NewGetAction(widgets, "ns", "b"))
	do(fakes.NewUpdateAction(widgets, "ns", widget("b")))
	do(fakes.NewPatchAction(widgets, "ns", "b", types.MergePatchType, []byte(`{}`)))
	want := []string{
		"create AlreadyExists", "create 3 red", "update 4 blue", "patch 5 grey", "patch 6 pink", "get 5 grey",
		"delete ", "delete NotFound", "get NotFound", "update NotFound", "patch NotFound",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if handled, _, _ := react(fakes.NewProxyGetAction(widgets, "ns", "", "a", "", "", nil)); handled {
		t.Error("a request through a proxy was handled")
	}
}

func TestDryRun(t *testing.T) {
	all := []string{metav1.DryRunAll}
	apply := []byte(`{"apiVersion":"example.com/v1","kind":"Widget","spec":{"size":3}}`)
	generated := widget("", colour("blue"), func(w *Widget) { w.GenerateName = "b-" })
	for _, c := range []struct {
		name   string
		action fakes.Action
		want   func(*Widget) bool // of the answer
	}{
		{"create", fakes.NewCreateActionWithOptions(widgets, "ns", widget("b", colour("blue")), metav1.CreateOptions{DryRun: all}), func(w *Widget) bool { return w.Name == "b" && w.Spec.Colour == "blue" }},
		{"create by prefix", fakes.NewCreateActionWithOptions(widgets, "ns", generated, metav1.CreateOptions{DryRun: all}), func(w *Widget) bool { return len(w.Name) == 7 }},
		{"update", fakes.NewUpdateActionWithOptions(widgets, "ns", widget("a", colour("blue")), metav1.UpdateOptions{DryRun: all}), func(w *Widget) bool { return w.Spec.Colour == "blue" && w.ResourceVersion == "2" }},
		{"patch", fakes.NewPatchActionWithOptions(widgets, "ns", "a", types.MergePatchType, []byte(`{"spec":{"colour":"blue"}}`), metav1.PatchOptions{DryRun: all}), func(w *Widget) bool { return w.Spec.Colour == "blue" }},
		{"apply", fakes.NewPatchActionWithOptions(widgets, "ns", "a", types.ApplyPatchType, apply, metav1.PatchOptions{DryRun: all, FieldManager: "m"}), func(w *Widget) bool { return w.Spec.Colour == "red" && w.Spec.Size == 3 }},
		{"apply to a missing object", fakes.NewPatchActionWithOptions(widgets, "ns", "b", types.ApplyPatchType, apply, metav1.PatchOptions{DryRun: all, FieldManager: "m"}), func(w *Widget) bool { return w.Name == "b" && w.Spec.Size == 3 }},
		{"delete", fakes.NewDeleteActionWithOptions(widgets, "ns", "a", metav1.DeleteOptions{DryRun: all}), nil},
		{"delete collection", fakes.NewDeleteCollectionActionWithOptions(widgets, "ns", metav1.DeleteOptions{DryRun: all}, metav1.ListOptions{}), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			tracker := newTracker(t, seed())
			before, err := tracker.List(widgets, widgetKind, "")
			if err != nil {
				t.Fatal(err)
			}
			handled, obj, err := fakes.ObjectReaction(tracker)(c.action)
			if !handled || err != nil {
				t.Fatalf("got %v, %v", handled, err)
			}
			if c.want != nil && !c.want(obj.(*Widget)) {
				t.Errorf("answered %+v", obj)
			}
			after, err := tracker.List(widgets, widgetKind, "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("it changed\n%s", diff)
			}
		})
	}
}

func TestDeleteCollection(t *testing.T) {
	tracker := newTracker(t, widget("a", uid("1")), widget("b", uid("2")))
	other := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: ptr.To(types.UID("1"))}}
	_, _, err := fakes.ObjectReaction(tracker)(fakes.NewDeleteCollectionActionWithOptions(widgets, "ns", other, metav1.ListOptions{}))
	if !apierrors.IsConflict(err) {
		t.Errorf("got %v", err)
	}
	list, err := tracker.List(widgets, widgetKind, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b"}, names(t, list)); diff != "" {
		t.Error(diff)
	}
	if handled, _, _ := fakes.ObjectReaction(wrapped{tracker})(fakes.NewDeleteCollectionAction(widgets, "ns", nil)); handled {
		t.Error("a wrapped tracker cannot delete collections")
	}
}

func TestTrackObjects(t *testing.T) {
	fake := &fakes.Fake{}
	fake.AddReactor("get", "widgets", func(action fakes.Action) (bool, runtime.Object, error) {
		return action.(fakes.GetAction).GetName() == "mine", widget("mine"), nil
	})
	tracker := newTracker(t)
	if err := fakes.TrackObjects(fake, tracker, seed()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mine", "a"} {
		obj, err := fake.Invokes(fakes.NewGetAction(widgets, "ns", name), nil)
		if err != nil || obj.(*Widget).Name != name {
			t.Errorf("got %v, %v", obj, err)
		}
	}
	watcher, err := fake.InvokesWatch(fakes.NewWatchAction(widgets, "ns", metav1.ListOptions{FieldSelector: "metadata.name=b"}))
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Stop()
	for _, name := range []string{"c", "b"} {
		if _, err = fake.Invokes(fakes.NewCreateAction(widgets, "ns", widget(name)), nil); err != nil {
			t.Fatal(err)
		}
	}
	if e := <-watcher.ResultChan(); e.Object.(*Widget).Name != "b" {
		t.Errorf("got %v", e)
	}
	if _, err = fake.InvokesWatch(fakes.NewWatchAction(widgets, "ns", metav1.ListOptions{ResourceVersion: "x"})); !apierrors.IsBadRequest(err) {
		t.Errorf("got %v", err)
	}
	err = fakes.TrackObjects(fake, tracker, widget("d"), seed())
	if !apierrors.IsAlreadyExists(err) || err.Error() != `object 1 (*testing_test.Widget): widgets.example.com "a" already exists` {
		t.Errorf("got %v", err)
	}
}
