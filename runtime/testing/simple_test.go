package testing_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	fakes "github.com/listwatch/listwatch/runtime/testing"
)

// The conformance module compares simple trackers with client-go's. These tests cover what is most
// easily broken.

func newSimple(t testing.TB, objects ...runtime.Object) (*fakes.Fake, fakes.ObjectTracker) {
	t.Helper()
	scheme, fake := newScheme(), &fakes.Fake{}
	tracker := fakes.NewObjectTracker(scheme, serializer.NewCodecFactory(scheme).UniversalDecoder())
	if err := fakes.TrackObjects(fake, tracker, objects...); err != nil {
		t.Fatal(err)
	}
	return fake, tracker
}

// TestSimpleStoresWhatIsGiven checks that an object contains exactly what the test has written,
// with any kind of write.
func TestSimpleStoresWhatIsGiven(t *testing.T) {
	old := widget("a", version("7"), colour("red"), phase("off"), label("k", "v"), uid("1"))
	scale := &Scale{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}, Replicas: 3}
	other := widget("a", version("3"), colour("blue"), uid("2"))
	dry := []string{metav1.DryRunAll}
	merge := []byte(`{"metadata":{"resourceVersion":"x"},"status":{"phase":"on"}}`)
	config := []byte(`{"apiVersion":"example.com/v1","kind":"Widget","spec":{"size":3}}`)
	for _, c := range []struct {
		name   string
		action fakes.Action
		stored runtime.Object
		is     func(error) bool
	}{
		{"get", fakes.NewGetAction(widgets, "ns", "a"), old, nil},
		{"update of another version", fakes.NewUpdateAction(widgets, "ns", other), other, nil},
		{"update without a version", fakes.NewUpdateAction(widgets, "ns", widget("a")), widget("a"), nil},
		{"update of the status", fakes.NewUpdateSubresourceAction(widgets, "status", "ns", other), other, nil},
		{"update of another kind", fakes.NewUpdateSubresourceAction(widgets, "scale", "ns", scale), scale, nil},
		{"update in a dry run", fakes.NewUpdateActionWithOptions(widgets, "ns", other, metav1.UpdateOptions{DryRun: dry}), other, nil},
		{"update of nothing", fakes.NewUpdateAction(widgets, "ns", widget("b")), old, apierrors.IsNotFound},
		{"create again", fakes.NewCreateAction(widgets, "ns", widget("a")), old, apierrors.IsAlreadyExists},
		{"create elsewhere", fakes.NewCreateAction(widgets, "other", widget("a")), old, apierrors.IsBadRequest},
		{"create a part", fakes.NewCreateSubresourceAction(widgets, "a", "approval", "ns", other), other, nil},
		{"create another kind", fakes.NewCreateSubresourceAction(widgets, "a", "scale", "ns", scale), old, nil},
		{"create a nameless kind", fakes.NewCreateSubresourceAction(widgets, "a", "scale", "ns", &Scale{}), old, apierrors.IsNotFound},
		{"merge patch of the status", fakes.NewPatchSubresourceAction(widgets, "ns", "a", types.MergePatchType, merge, "status"),
			widget("a", version("x"), colour("red"), phase("on"), label("k", "v"), uid("1")), nil},
		{"patch of nothing", fakes.NewPatchAction(widgets, "ns", "b", types.MergePatchType, merge), old, apierrors.IsNotFound},
		{"apply", fakes.NewPatchAction(widgets, "ns", "a", types.ApplyPatchType, config),
			widget("a", version("7"), colour("red"), phase("off"), label("k", "v"), uid("1"), func(w *Widget) {
				w.Spec.Size, w.APIVersion, w.Kind = 3, "example.com/v1", "Widget"
			}), nil},
		{"apply to a missing object", fakes.NewPatchAction(widgets, "ns", "b", types.ApplyPatchType, config), old, apierrors.IsNotFound},
		{"delete of nothing", fakes.NewDeleteAction(widgets, "ns", "b"), old, apierrors.IsNotFound},
		{"delete of the collection", fakes.NewDeleteCollectionAction(widgets, "ns", metav1.ListOptions{}), old, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			fake, tracker := newSimple(t, old)
			if _, err := fake.Invokes(c.action, nil); (c.is == nil && err != nil) || (c.is != nil && !c.is(err)) {
				t.Errorf("got %v", err)
			}
			stored, err := tracker.Get(widgets, "ns", "a")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.stored, stored); diff != "" {
				t.Errorf("stored (-want +got)\n%s", diff)
			}
		})
	}
}

// TestSimpleLists checks the versions of lists, and that selectors are left to clients.
func TestSimpleLists(t *testing.T) {
	_, tracker := newSimple(t, widget("a", version("7")), widget("b", in("other")))
	list := func(ns string) *WidgetList {
		t.Helper()
		obj, err := tracker.List(widgets, widgetKind, ns, metav1.ListOptions{LabelSelector: "k=v", FieldSelector: "metadata.name=c"})
		if err != nil {
			t.Fatal(err)
		}
		return obj.(*WidgetList)
	}
	if got := list(""); got.ResourceVersion != "3" || len(got.Items) != 2 || got.Items[0].ResourceVersion != "7" {
		t.Errorf("got %+v", got)
	}
	if err := tracker.Delete(widgets, "ns", "a"); err != nil {
		t.Fatal(err)
	}
	if got := list("ns"); got.ResourceVersion != "3" || len(got.Items) != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestSimpleWatches checks with which events watches start, and that events contain the given
// objects.
func TestSimpleWatches(t *testing.T) {
	for _, c := range []struct {
		name string
		ns   string
		opts []metav1.ListOptions
		want []string
	}{
		{"without options", "", nil, []string{"MODIFIED ns/a 5", "ADDED other/c ", "DELETED ns/a 5"}},
		{"without a version", "", []metav1.ListOptions{{}},
			[]string{"ADDED ns/a 7", "ADDED ns/b ", "MODIFIED ns/a 5", "ADDED other/c ", "DELETED ns/a 5"}},
		{"of a namespace", "ns", []metav1.ListOptions{{LabelSelector: "k=v"}},
			[]string{"ADDED ns/a 7", "ADDED ns/b ", "MODIFIED ns/a 5", "DELETED ns/a 5"}},
		{"from a version", "", []metav1.ListOptions{{ResourceVersion: "2", AllowWatchBookmarks: true}},
			[]string{"ADDED ns/b ", "MODIFIED ns/a 5", "ADDED other/c ", "DELETED ns/a 5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, tracker := newSimple(t, widget("a", version("7")), widget("b"))
			watcher, err := tracker.Watch(widgets, c.ns, c.opts...)
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range []error{
				tracker.Update(widgets, widget("a", version("5")), "ns"),
				tracker.Create(widgets, widget("c", in("other")), "other"),
				tracker.Delete(widgets, "ns", "a"),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			watcher.Stop()
			var got []string
			for e := range watcher.ResultChan() {
				w := e.Object.(*Widget)
				got = append(got, fmt.Sprintf("%s %s/%s %s", e.Type, w.Namespace, w.Name, w.ResourceVersion))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestSimpleWatchesThatFail checks that no reactor handles them, as in client-go's clientsets.
func TestSimpleWatchesThatFail(t *testing.T) {
	fake, tracker := newSimple(t)
	opts := metav1.ListOptions{ResourceVersion: "x"}
	if _, err := tracker.Watch(widgets, "", opts); err == nil {
		t.Error("the tracker watches from no version")
	}
	action := fakes.NewWatchActionWithOptions(widgets, "ns", opts)
	if _, err := fake.InvokesWatch(action); err == nil || err.Error() != fmt.Sprintf("unhandled watch: %#v", action) {
		t.Errorf("got %v", err)
	}
}

// TestWrapped checks that another package's tracker is only used through its methods.
func TestWrapped(t *testing.T) {
	tracker := wrapped{newTracker(t, seed())}
	react := fakes.ObjectReaction(tracker)
	if _, obj, err := react(fakes.NewUpdateSubresourceAction(widgets, "status", "ns", widget("a", colour("blue")))); err != nil || obj.(*Widget).Spec.Colour != "blue" {
		t.Errorf("got %v, %v", obj, err)
	}
	if handled, _, _ := react(fakes.NewDeleteCollectionAction(widgets, "ns", metav1.ListOptions{})); handled {
		t.Error("a collection was deleted")
	}
}

// TestFieldManaged checks that the tracker of that name manages fields and nothing else.
func TestFieldManaged(t *testing.T) {
	scheme := newScheme()
	parser, err := typed.NewParser(widgetSchema)
	if err != nil {
		t.Fatal(err)
	}
	tracker := fakes.NewFieldManagedObjectTracker(scheme, nil, managedfields.NewSchemeTypeConverter(scheme, parser))
	react := fakes.ObjectReaction(tracker)
	apply := func(manager, colour string, force bool) error {
		patch := fmt.Appendf(nil, `{"apiVersion":"example.com/v1","kind":"Widget","spec":{"colour":%q}}`, colour)
		_, _, err := react(fakes.NewPatchActionWithOptions(widgets, "ns", "a", types.ApplyPatchType, patch, metav1.PatchOptions{FieldManager: manager, Force: &force}))
		return err
	}
	for _, step := range []struct {
		name string
		err  error
		is   func(error) bool
	}{
		{"apply to a missing object", apply("x", "red", false), nil},
		{"apply of another manager", apply("y", "blue", false), apierrors.IsConflict},
		{"apply by force", apply("y", "blue", true), nil},
		{"update", tracker.Update(widgets, widget("a", colour("grey")), "ns", metav1.UpdateOptions{FieldManager: "z"}), nil},
		{"patch", tracker.Patch(widgets, widget("a", colour("pink")), "ns", metav1.PatchOptions{FieldManager: "z"}), nil},
		{"create", tracker.Create(widgets, widget("b", colour("pink")), "ns", metav1.CreateOptions{FieldManager: "z"}), nil},
		{"create again", tracker.Create(widgets, widget("b"), "ns"), apierrors.IsAlreadyExists},
		{"update of nothing", tracker.Update(widgets, widget("c"), "ns"), apierrors.IsNotFound},
	} {
		if (step.is == nil && step.err != nil) || (step.is != nil && !step.is(step.err)) {
			t.Errorf("%s: %v", step.name, step.err)
		}
	}
	got := get(t, tracker, "a")
	if got.ResourceVersion != "" || got.Spec.Colour != "pink" || len(got.ManagedFields) != 1 || got.ManagedFields[0].Manager != "z" {
		t.Errorf("got %+v", got)
	}
	if _, _, err := react(fakes.NewCreateAction(schema.GroupVersionResource{Resource: "none"}, "ns", widget("a"))); err == nil {
		t.Error("a resource of no kind has an object")
	}
}

// TestUnreadEvents checks that a watch that is not read does not block anything.
func TestUnreadEvents(t *testing.T) {
	n := 2 * watch.DefaultChanSize
	_, tracker := newSimple(t)
	watcher, err := tracker.Watch(widgets, "")
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Stop()
	for i := range n {
		if err := tracker.Create(widgets, widget(fmt.Sprint(i)), "ns"); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		if e := <-watcher.ResultChan(); e.Object.(*Widget).Name != fmt.Sprint(i) {
			t.Fatalf("event %d is of %v", i, e.Object)
		}
	}
}
