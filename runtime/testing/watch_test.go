package testing_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	fakes "github.com/listwatch/listwatch/runtime/testing"
)

// history returns the tracker of these tests after versions 2 to 8.
func history(t testing.TB) fakes.ObjectTracker {
	t.Helper()
	tracker := newTracker(t, widget("a"), widget("b", in("other")), widget("c", label("k", "v")))
	for _, err := range []error{
		tracker.Update(widgets, widget("a", label("k", "v")), "ns"),
		tracker.Update(widgets, widget("a", label("k", "v"), colour("red")), "ns"),
		tracker.Update(widgets, widget("a"), "ns"),
		tracker.Delete(widgets, "ns", "c"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return tracker
}

// events describes the events that can be read from a watch now.
func events(t testing.TB, watcher watch.Interface) []string {
	t.Helper()
	var got []string
	for {
		synctest.Wait()
		select {
		case e, ok := <-watcher.ResultChan():
			if !ok {
				return append(got, "closed")
			}
			got = append(got, words(t, e))
		default:
			return got
		}
	}
}

func words(t testing.TB, e watch.Event) string {
	t.Helper()
	if status, ok := e.Object.(*metav1.Status); ok {
		return fmt.Sprintf("%s %d %s", e.Type, status.Code, status.Message)
	}
	object, err := meta.Accessor(e.Object)
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprintf("%s %s %s", e.Type, object.GetName(), object.GetResourceVersion())
	for k, v := range object.GetAnnotations() {
		said += " " + k + "=" + v
	}
	return said
}

func TestWatchFrom(t *testing.T) {
	yes, no := ptr.To(true), ptr.To(false)
	later := []string{"ADDED z 9", "DELETED z 10"}
	for _, c := range []struct {
		name      string
		namespace string
		opts      []metav1.ListOptions
		want      []string
	}{
		{"now", "", nil, nil},
		{"existing objects", "", []metav1.ListOptions{{}}, []string{"ADDED a 7", "ADDED b 3"}},
		{"any version", "", []metav1.ListOptions{{ResourceVersion: "0"}}, []string{"ADDED a 7", "ADDED b 3"}},
		{"now, by option", "", []metav1.ListOptions{{SendInitialEvents: no}}, nil},
		{"the beginning", "", []metav1.ListOptions{{ResourceVersion: "1"}}, []string{
			"ADDED a 2", "ADDED b 3", "ADDED c 4", "MODIFIED a 5", "MODIFIED a 6", "MODIFIED a 7", "DELETED c 8",
		}},
		{"a version", "", []metav1.ListOptions{{ResourceVersion: "5"}}, []string{"MODIFIED a 6", "MODIFIED a 7", "DELETED c 8"}},
		{"the last version", "", []metav1.ListOptions{{ResourceVersion: "8"}}, nil},
		{"the future", "", []metav1.ListOptions{{ResourceVersion: "800"}}, nil},
		{"one namespace", "other", []metav1.ListOptions{{ResourceVersion: "1"}}, []string{"ADDED b 3"}},
		{"labels", "", []metav1.ListOptions{{ResourceVersion: "1", LabelSelector: "k=v"}}, []string{
			"ADDED c 4", "ADDED a 5", "MODIFIED a 6", "DELETED a 7", "DELETED c 8",
		}},
		{"fields", "", []metav1.ListOptions{{ResourceVersion: "1", FieldSelector: "spec.colour=red"}}, []string{"ADDED a 6", "DELETED a 7"}},
		{"bookmarks", "", []metav1.ListOptions{{ResourceVersion: "1", LabelSelector: "k=v", AllowWatchBookmarks: true}}, []string{
			"BOOKMARK  2", "BOOKMARK  3", "ADDED c 4", "ADDED a 5", "MODIFIED a 6", "DELETED a 7", "DELETED c 8",
		}},
		{"initial events", "", []metav1.ListOptions{{SendInitialEvents: yes, AllowWatchBookmarks: true}}, []string{
			"ADDED a 7", "ADDED b 3", "BOOKMARK  8 k8s.io/initial-events-end=true",
		}},
		{"initial events, from a version", "", []metav1.ListOptions{{SendInitialEvents: yes, AllowWatchBookmarks: true, ResourceVersion: "5"}}, []string{
			"ADDED a 7", "ADDED b 3", "BOOKMARK  8 k8s.io/initial-events-end=true",
		}},
		{"initial events, selected", "ns", []metav1.ListOptions{{SendInitialEvents: yes, AllowWatchBookmarks: true, FieldSelector: "metadata.name!=a"}}, []string{
			"BOOKMARK  8 k8s.io/initial-events-end=true",
		}},
		{"initial events without bookmarks", "", []metav1.ListOptions{{SendInitialEvents: yes}}, []string{"ADDED a 7", "ADDED b 3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tracker := history(t)
				watcher, err := tracker.Watch(widgets, c.namespace, c.opts...)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, events(t, watcher)); diff != "" {
					t.Errorf("at first (-want +got)\n%s", diff)
				}
				if c.namespace != "" || len(c.opts) > 0 && c.opts[0].LabelSelector+c.opts[0].FieldSelector != "" {
					watcher.Stop()
					return
				}
				if err := tracker.Create(widgets, widget("z"), "ns"); err != nil {
					t.Fatal(err)
				}
				if err := tracker.Delete(widgets, "ns", "z"); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(later, events(t, watcher)); diff != "" {
					t.Errorf("later (-want +got)\n%s", diff)
				}
				watcher.Stop()
				watcher.Stop()
				if err := tracker.Create(widgets, widget("y"), "ns"); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]string{"closed"}, events(t, watcher)); diff != "" {
					t.Errorf("after Stop (-want +got)\n%s", diff)
				}
			})
		})
	}
}

func TestWatchErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		opts metav1.ListOptions
		want string
	}{
		{"no number", metav1.ListOptions{ResourceVersion: "x"}, `invalid resourceVersion "x": it must be a whole number`},
		{"negative", metav1.ListOptions{ResourceVersion: "-1"}, `invalid resourceVersion "-1": it must be a whole number`},
		{"labels", metav1.ListOptions{LabelSelector: "a=b=c"}, "found '=', expected: ',' or 'end of string'"},
		{"fields", metav1.ListOptions{FieldSelector: "a"}, `invalid selector: 'a'; can't understand 'a'`},
		{"no such field", metav1.ListOptions{FieldSelector: "spec.color=red"}, "field label not supported: spec.color"},
	} {
		t.Run(c.name, func(t *testing.T) {
			watcher, err := newTracker(t).Watch(widgets, "", c.opts)
			if !apierrors.IsBadRequest(err) || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if watcher != nil {
				t.Error("got a watch with an error")
			}
		})
	}
}

func TestWatchFromAForgottenVersion(t *testing.T) {
	tracker := newTracker(t, widget("a"))
	for range 10_000 {
		if err := tracker.Update(widgets, widget("a"), "ns"); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			from        string
			first, last string
			count       int
		}{
			{"1", "ERROR 410 too old resource version: 1 (2)", "closed", 2},
			{"2", "MODIFIED a 3", "MODIFIED a 10002", 10_000},
			{"10001", "MODIFIED a 10002", "MODIFIED a 10002", 1},
		} {
			watcher, err := tracker.Watch(widgets, "", metav1.ListOptions{ResourceVersion: c.from})
			if err != nil {
				t.Fatal(err)
			}
			got := events(t, watcher)
			watcher.Stop()
			if len(got) != c.count || got[0] != c.first || got[len(got)-1] != c.last {
				t.Errorf("from %s: got %d events, %q to %q", c.from, len(got), got[0], got[len(got)-1])
			}
		}
	})
}

func TestSlowWatcherHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker := newTracker(t, widget("a"))
		slow, err := tracker.Watch(widgets, "", metav1.ListOptions{ResourceVersion: "2"})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		update := func(n int) {
			for range n {
				if err = tracker.Update(widgets, widget("a"), "ns"); err != nil {
					t.Fatal(err)
				}
				want = append(want, "MODIFIED a "+get(t, tracker, "a").ResourceVersion)
			}
		}
		for _, n := range []int{1000, 1, 99, 1, 300} {
			update(n)
			if diff := cmp.Diff(want, events(t, slow)); diff != "" {
				t.Fatalf("(-want +got)\n%s", diff)
			}
			want = nil
		}
		update(1000)
		unread, err := tracker.Watch(widgets, "", metav1.ListOptions{ResourceVersion: "2"})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		unread.Stop() // it is not read, and must leave no goroutine
		slow.Stop()
		rest := events(t, slow)
		if len(rest) == 0 || rest[len(rest)-1] != "closed" {
			t.Errorf("the channel is not closed after Stop")
		}
	})
}

// TestLeavingASelection checks that the last event of an object has the last state that was
// selected, with the version of the change.
func TestLeavingASelection(t *testing.T) {
	tracker := newTracker(t, widget("a", label("k", "v"), colour("red")))
	watcher, err := tracker.Watch(widgets, "", metav1.ListOptions{LabelSelector: "k=v", ResourceVersion: "2"})
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Stop()
	if err := tracker.Update(widgets, widget("a", colour("blue")), "ns"); err != nil {
		t.Fatal(err)
	}
	e := <-watcher.ResultChan()
	want := watch.Event{Type: watch.Deleted, Object: widget("a", label("k", "v"), colour("red"), version("3"))}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Error(diff)
	}
}

func TestBookmarksAreOfTheKind(t *testing.T) {
	end := metav1.ListOptions{SendInitialEvents: ptr.To(true), AllowWatchBookmarks: true}
	for _, c := range []struct {
		name  string
		gvr   schema.GroupVersionResource
		learn func(fakes.ObjectTracker) error
		want  runtime.Object
	}{
		{"by the scheme", widgets, nil, &Widget{}},
		{"by the scheme, in other letters", widgetVersion.WithResource("Widgets"), nil, &Widget{}},
		{"by an object", gadgets, func(o fakes.ObjectTracker) error { return o.Create(gadgets, gadget("g", nil), "ns") }, &unstructured.Unstructured{}},
		{"by a list", widgetVersion.WithResource("widgetry"), func(o fakes.ObjectTracker) error {
			_, err := o.List(widgetVersion.WithResource("widgetry"), widgetKind, "")
			return err
		}, &Widget{}},
		{"unknown", gadgets, nil, &metav1.PartialObjectMetadata{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tracker := newTracker(t)
			if c.learn != nil {
				if err := c.learn(tracker); err != nil {
					t.Fatal(err)
				}
			}
			watcher, err := tracker.Watch(c.gvr, "none", end)
			if err != nil {
				t.Fatal(err)
			}
			defer watcher.Stop()
			e := <-watcher.ResultChan()
			if got, want := fmt.Sprintf("%s %T", e.Type, e.Object), fmt.Sprintf("BOOKMARK %T", c.want); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestListAndWatchWithoutAGap writes while lists are followed by watches: every watch must receive
// each version after its list once, in order.
func TestListAndWatchWithoutAGap(t *testing.T) {
	tracker := newTracker(t)
	const writes = 500
	done := make(chan error, 1)
	go func() {
		for range writes {
			if err := tracker.Create(widgets, widget("", func(w *Widget) { w.GenerateName = "w-" }), "ns"); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	last := fmt.Sprint(writes + 1)
	for range 20 {
		list, err := tracker.List(widgets, widgetKind, "")
		if err != nil {
			t.Fatal(err)
		}
		from := list.(*WidgetList).ResourceVersion
		watcher, err := tracker.Watch(widgets, "", metav1.ListOptions{ResourceVersion: from})
		if err != nil {
			t.Fatal(err)
		}
		var expected int
		if _, err := fmt.Sscan(from, &expected); err != nil {
			t.Fatal(err)
		}
		for got := from; got != last; {
			expected++
			got = (<-watcher.ResultChan()).Object.(*Widget).ResourceVersion
			if got != fmt.Sprint(expected) {
				t.Fatalf("got version %s, want %d", got, expected)
			}
			if expected == writes+1 {
				break
			}
		}
		watcher.Stop()
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
