package framework_test

import (
	"errors"
	"slices"
	"testing"

	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	_ cache.ListerWatcher = (*cachetesting.FakeControllerSource)(nil)
	_ cache.ListerWatcher = (*cachetesting.FakePVControllerSource)(nil)
	_ cache.ListerWatcher = (*cachetesting.FakePVCControllerSource)(nil)
)

func object(name string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: name}}
}

// describe returns the type, object and resource version of an event.
func describe(e watch.Event) string {
	obj := e.Object.(*metav1.PartialObjectMetadata)
	return string(e.Type) + " " + obj.Name + " " + obj.ResourceVersion
}

// watchFrom starts a watch.
func watchFrom(t *testing.T, source cache.Watcher, rv string) watch.Interface {
	t.Helper()
	w, err := source.Watch(metav1.ListOptions{ResourceVersion: rv})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// wantEvents reads the watch to its end.
func wantEvents(t *testing.T, w watch.Interface, want ...string) {
	t.Helper()
	var got []string
	for e := range w.ResultChan() {
		got = append(got, describe(e))
	}
	if !slices.Equal(got, want) {
		t.Errorf("events %q, want %q", got, want)
	}
}

// wantList lists and compares the objects, which are sorted by name.
func wantList(t *testing.T, source cache.Lister, rv string, want ...string) {
	t.Helper()
	list, err := source.List(metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := list.(metav1.ListInterface).GetResourceVersion(); got != rv {
		t.Errorf("list at %s, want %s", got, rv)
	}
	var got []string
	err = meta.EachListItem(list, func(obj runtime.Object) error {
		o := obj.(*metav1.PartialObjectMetadata)
		got = append(got, o.Name+" "+o.ResourceVersion)
		return nil
	})
	slices.Sort(got)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("list %q, %v, want %q", got, err, want)
	}
}

func TestWatchesFromEachVersion(t *testing.T) {
	source := cachetesting.NewFakeControllerSource()
	wantList(t, source, "0")
	start := watchFrom(t, source, "0")
	source.Add(object("a"))
	source.Modify(object("a"))
	source.Add(object("b"))
	source.Delete(object("a"))
	wantList(t, source, "4", "b 3")
	all := []string{"ADDED a 1", "MODIFIED a 2", "ADDED b 3", "DELETED a 4"}
	watches := []watch.Interface{watchFrom(t, source, "0"), watchFrom(t, source, "1"), watchFrom(t, source, "2"), watchFrom(t, source, "3"), watchFrom(t, source, "4")}
	source.Shutdown()
	wantEvents(t, start, all...)
	for i, w := range watches {
		wantEvents(t, w, all[i:]...)
	}
}

func TestDroppedEvents(t *testing.T) {
	source := cachetesting.NewFakeControllerSource()
	w := watchFrom(t, source, "0")
	source.AddDropWatch(object("a"))
	source.Add(object("b"))
	source.ModifyDropWatch(object("b"))
	source.DeleteDropWatch(object("a"))
	source.Change(watch.Event{Type: watch.Modified, Object: object("b")}, 0)
	wantList(t, source, "5", "b 5")
	again := watchFrom(t, source, "2")
	source.Shutdown()
	wantEvents(t, w, "ADDED b 2")
	wantEvents(t, again, "MODIFIED b 3", "DELETED a 4", "MODIFIED b 5")
}

func TestResetWatch(t *testing.T) {
	source := cachetesting.NewFakeControllerSource()
	source.Add(object("a"))
	source.Modify(object("a"))
	ended := watchFrom(t, source, "2")
	source.ResetWatch()
	wantEvents(t, ended)

	if _, err := source.Watch(metav1.ListOptions{ResourceVersion: "1"}); !apierrors.IsResourceExpired(err) {
		t.Errorf("watch from a version that is forgotten: %v", err)
	}
	w := watchFrom(t, source, "2")
	source.Modify(object("a"))
	if _, err := source.Watch(metav1.ListOptions{ResourceVersion: "1"}); !apierrors.IsResourceExpired(err) {
		t.Errorf("watch from a version that is forgotten, after a change: %v", err)
	}
	wantList(t, source, "3", "a 3")
	source.Shutdown()
	wantEvents(t, w, "MODIFIED a 3")
}

func TestWatchFails(t *testing.T) {
	source := cachetesting.NewFakeControllerSource()
	defer source.Shutdown()
	for _, rv := range []string{"", "x", "1"} {
		if w, err := source.Watch(metav1.ListOptions{ResourceVersion: rv}); err == nil {
			w.Stop()
			t.Errorf("watch from %q", rv)
		}
	}
}

func TestListError(t *testing.T) {
	source := cachetesting.NewFakeControllerSource()
	defer source.Shutdown()
	source.ListError = errors.New("no")
	if _, err := source.List(metav1.ListOptions{}); !errors.Is(err, source.ListError) {
		t.Error(err)
	}
}

// TestObjectsAreCopies checks that nobody can modify recorded events.
func TestObjectsAreCopies(t *testing.T) {
	source := cachetesting.NewFakeControllerSource()
	w := watchFrom(t, source, "0")
	mine := object("a")
	source.Add(mine)
	if mine.ResourceVersion != "1" {
		t.Errorf("resource version %q", mine.ResourceVersion)
	}
	seen := (<-w.ResultChan()).Object.(*metav1.PartialObjectMetadata)
	seen.Name = "modified by a watcher"
	source.Modify(mine) // the same object again
	list, err := source.List(metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	list.(*metav1.List).Items[0].Object.(*metav1.PartialObjectMetadata).Name = "modified by a lister"
	wantList(t, source, "2", "a 2")
	again := watchFrom(t, source, "0")
	source.Shutdown()
	wantEvents(t, w, "MODIFIED a 2")
	wantEvents(t, again, "ADDED a 1", "MODIFIED a 2")
}

func TestSourcesOfVolumes(t *testing.T) {
	volumes, claims := cachetesting.NewFakePVControllerSource(), cachetesting.NewFakePVCControllerSource()
	volumes.Add(object("a"))
	claims.Add(object("b"))
	wantList(t, volumes, "1", "a 1")
	wantList(t, claims, "1", "b 1")
	volumes.Shutdown()
	claims.Shutdown()
}

func TestChangeOfNoObject(t *testing.T) {
	source := cachetesting.NewFakeControllerSource()
	defer source.Shutdown()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	source.Add(&metav1.Status{})
}

// A reflector that stops does not wait for a watch that it is about to open, which then comes after Shutdown.
func TestCallsAfterShutdown(t *testing.T) {
	source := cachetesting.NewFakeControllerSource()
	source.Add(object("one"))
	source.Shutdown()
	source.Shutdown()
	if w, err := source.Watch(metav1.ListOptions{ResourceVersion: "1"}); err == nil {
		t.Errorf("a watch after Shutdown: %v, want an error", w)
	}
	source.Add(object("two"))
	list, err := source.List(metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if items, err := meta.ExtractList(list); len(items) != 2 || err != nil {
		t.Errorf("a list after Shutdown: %v and error %v, want two objects", items, err)
	}
}
