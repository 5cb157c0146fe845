package store_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/apitest/internal/store"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/apis/example"
	"k8s.io/apiserver/pkg/storage"
)

// begin starts a watch of all pods that is stopped when the test ends.
func begin(t *testing.T, s storage.Interface, from uint64, change ...func(*storage.ListOptions)) watch.Interface {
	t.Helper()
	opts := everything
	opts.ResourceVersion = fmt.Sprint(from)
	opts.Predicate.GetAttrs = podAttrs
	for _, c := range change {
		c(&opts)
	}
	w, err := s.Watch(t.Context(), "/pods", opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.Stop()
		for range w.ResultChan() {
		}
	})
	return w
}

// next returns the next event as "TYPE name", "BOOKMARK", "ERROR reason" or "end".
func next(t *testing.T, w watch.Interface) string {
	t.Helper()
	e, ok := <-w.ResultChan()
	if !ok {
		return "end"
	}
	switch e.Type {
	case watch.Bookmark:
		return "BOOKMARK"
	case watch.Error:
		return "ERROR " + string(apierrors.ReasonForError(apierrors.FromObject(e.Object)))
	}
	m, err := meta.Accessor(e.Object)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %s", e.Type, m.GetName())
}

func expect(t *testing.T, w watch.Interface, want ...string) {
	t.Helper()
	var got []string
	for range want {
		got = append(got, next(t, w))
	}
	if !slices.Equal(got, want) {
		t.Errorf("events:\n%q, want\n%q", got, want)
	}
}

func remove(t *testing.T, s storage.Interface, name string) {
	t.Helper()
	err := s.Delete(t.Context(), podKey(name), &example.Pod{}, nil, storage.ValidateAllObjectFunc, nil, storage.DeleteOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

func add(t *testing.T, s storage.Interface, name string) *example.Pod {
	t.Helper()
	out := &example.Pod{}
	if err := s.Create(t.Context(), podKey(name), pod(name), out, 0); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWatchWindow(t *testing.T) {
	b := store.NewBackend(store.Options{History: 3})
	s := open(t, b, pods, podCodec())
	var versions []uint64
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		add(t, s, name)
		versions = append(versions, b.ResourceVersion())
	}
	expect(t, begin(t, s, versions[1]), "ADDED c", "ADDED d", "ADDED e")
	expect(t, begin(t, s, versions[4]-1), "ADDED e")
	expect(t, begin(t, s, versions[0]), "ERROR Expired", "end")

	b.ExpireHistory()
	expect(t, begin(t, s, versions[3]), "ERROR Expired", "end")
	w := begin(t, s, versions[4])
	add(t, s, "f")
	expect(t, w, "ADDED f")
}

// A watcher that is not read blocks nobody, and gets an error when it is too late.
func TestSlowWatcher(t *testing.T) {
	const history = 50
	s := open(t, store.NewBackend(store.Options{History: history}), pods, podCodec())
	add(t, s, "a")
	w := begin(t, s, currentVersion(t, s))
	for i := range 1000 {
		relabel(t, s, "a", i)
	}
	n := 0
	for e := range w.ResultChan() {
		n++
		if e.Type == watch.Error {
			if err := apierrors.FromObject(e.Object); !apierrors.IsResourceExpired(err) {
				t.Error(err)
			}
		}
	}
	// The events that were already on their way to the reader, and the error.
	if n == 0 || n > 300 {
		t.Errorf("%d events", n)
	}
}

// A watcher of one object does not fall behind while others change.
func TestNarrowWatcher(t *testing.T) {
	s := open(t, store.NewBackend(store.Options{History: 10}), pods, podCodec())
	add(t, s, "a")
	add(t, s, "b")
	opts := storage.ListOptions{ResourceVersion: fmt.Sprint(currentVersion(t, s)), Predicate: storage.Everything}
	w, err := s.Watch(t.Context(), podKey("a"), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	relabel(t, s, "a", 0)
	expect(t, w, "MODIFIED a")
	for i := range 100 {
		relabel(t, s, "b", i)
	}
	relabel(t, s, "a", 1)
	expect(t, w, "MODIFIED a")
}

func TestSelectorTransitions(t *testing.T) {
	s, _ := newPods(t)
	add(t, s, "a")
	w := begin(t, s, currentVersion(t, s), func(opts *storage.ListOptions) {
		opts.Predicate.Label = labels.SelectorFromSet(labels.Set{"turn": "1"})
	})
	for _, turn := range []int{0, 1, 1, 2, 3, 1} {
		relabel(t, s, "a", turn)
	}
	last := read(t, s)
	remove(t, s, "a")
	add(t, s, "b")
	relabel(t, s, "b", 1)
	expect(t, w, "ADDED a", "DELETED a", "ADDED a", "DELETED a", "ADDED b")
	if last.Labels["turn"] != "1" {
		t.Errorf("last state: %v", last.Labels)
	}
}

func read(t *testing.T, s storage.Interface) *example.Pod {
	t.Helper()
	out := &example.Pod{}
	if err := s.Get(t.Context(), podKey("a"), storage.GetOptions{}, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestBookmarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := store.NewBackend(store.Options{BookmarkInterval: 10 * time.Second})
		s := open(t, b, pods, podCodec())
		add(t, s, "a")
		ctx, cancel := context.WithTimeout(t.Context(), 25*time.Second)
		defer cancel()
		opts := everything
		opts.ResourceVersion = fmt.Sprint(b.ResourceVersion())
		opts.Predicate.AllowWatchBookmarks = true
		began := time.Now()
		w, err := s.Watch(ctx, "/pods", opts)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		add(t, s, "b")
		expect(t, w, "ADDED b")
		var at []time.Duration
		for e := range w.ResultChan() {
			if e.Type != watch.Bookmark {
				t.Errorf("the watch got %v, want only bookmarks", e)
			}
			if v, err := (storage.APIObjectVersioner{}).ObjectResourceVersion(e.Object); err != nil || v != b.ResourceVersion() {
				t.Errorf("bookmark of %d, want %d: %v", v, b.ResourceVersion(), err)
			}
			at = append(at, time.Since(began))
		}
		if want := []time.Duration{10 * time.Second, 20 * time.Second, 23 * time.Second}; !slices.Equal(at, want) {
			t.Errorf("bookmarks at %v, want %v", at, want)
		}
	})
}

// Writes of other resources are news for the next bookmark, although they do not wake a watch.
func TestBookmarksOfIdleWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := store.NewBackend(store.Options{BookmarkInterval: 10 * time.Second})
		s := open(t, b, pods, podCodec())
		write := increaseRV(t, b)
		add(t, s, "a")
		w := begin(t, s, b.ResourceVersion(), func(opts *storage.ListOptions) { opts.Predicate.AllowWatchBookmarks = true })
		synctest.Wait()
		began := time.Now()
		for i := range 3 {
			version := write(t.Context(), t)
			e := <-w.ResultChan()
			if v, err := (storage.APIObjectVersioner{}).ObjectResourceVersion(e.Object); e.Type != watch.Bookmark || err != nil || int64(v) != version {
				t.Errorf("%s of %d, want a bookmark of %d: %v", e.Type, v, version, err)
			}
			if at := time.Since(began); at != time.Duration(i+1)*10*time.Second {
				t.Errorf("bookmark %d came after %v", i+1, at)
			}
		}
	})
}

// A bookmark without news is not sent, and a watch from a future version waits for it.
func TestQuietWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := store.NewBackend(store.Options{BookmarkInterval: time.Second})
		s := open(t, b, pods, podCodec())
		add(t, s, "a")
		bookmarked := func(opts *storage.ListOptions) { opts.Predicate.AllowWatchBookmarks = true }
		now, later := begin(t, s, b.ResourceVersion(), bookmarked), begin(t, s, b.ResourceVersion()+1, bookmarked)
		time.Sleep(10*time.Second + 500*time.Millisecond) // between two bookmarks
		add(t, s, "b")
		add(t, s, "c")
		expect(t, now, "ADDED b", "ADDED c", "BOOKMARK")
		expect(t, later, "ADDED c", "BOOKMARK")
	})
}

func TestInitialEvents(t *testing.T) {
	s, _ := newPods(t)
	add(t, s, "b")
	add(t, s, "a")
	yes := true
	w := begin(t, s, 0, func(opts *storage.ListOptions) {
		opts.SendInitialEvents, opts.Predicate.AllowWatchBookmarks = &yes, true
	})
	expect(t, w, "ADDED a", "ADDED b")
	e := <-w.ResultChan()
	if marked, err := storage.HasInitialEventsEndBookmarkAnnotation(e.Object); e.Type != watch.Bookmark || !marked || err != nil {
		t.Errorf("%v: %v", e, err)
	}
	expect(t, begin(t, s, 1<<40, func(opts *storage.ListOptions) { opts.SendInitialEvents = &yes }), "ERROR Timeout", "end")
}

func TestWatchEnds(t *testing.T) {
	b := store.NewBackend(store.Options{})
	opts, err := b.RESTOptions(podCodec()).GetRESTOptions(pods, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, destroy, err := opts.Decorator(opts.StorageConfig, opts.ResourcePrefix, nil,
		func() runtime.Object { return &example.Pod{} }, nil, podAttrs, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	add(t, s, "a")
	before := b.ResourceVersion()
	add(t, s, "b")
	w := begin(t, s, before)
	expect(t, w, "ADDED b")
	b.Restart()
	expect(t, w, "end")
	expect(t, begin(t, s, before), "ERROR Expired", "end")

	other := open(t, b, pods, podCodec())
	mine, others := begin(t, s, b.ResourceVersion()), begin(t, other, b.ResourceVersion())
	add(t, s, "c")
	destroy()
	expect(t, mine, "ADDED c", "end")
	expect(t, begin(t, s, b.ResourceVersion()), "end")
	add(t, other, "d")
	expect(t, others, "ADDED c", "ADDED d")
}

// All watches write what the first one has encoded, and do not share the objects that they return.
func TestSharedEvents(t *testing.T) {
	s, b := newPods(t)
	v, w := begin(t, s, b.ResourceVersion()), begin(t, s, b.ResourceVersion())
	add(t, s, "a")
	first, second := (<-v.ResultChan()).Object.(runtime.CacheableObject), (<-w.ResultChan()).Object.(runtime.CacheableObject)
	times := 0
	encode := func(obj runtime.Object, w io.Writer) error {
		times++
		obj.(*example.Pod).Name = "changed"
		_, err := io.WriteString(w, "text")
		return err
	}
	for _, object := range []runtime.CacheableObject{first, second, first} {
		if err := object.CacheEncode("form", encode, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	if times != 1 {
		t.Errorf("encoded %d times", times)
	}
	if err := first.CacheEncode("another", encode, io.Discard); err != nil || times != 2 {
		t.Errorf("encoded %d times, %v", times, err)
	}
	if name := second.GetObject().(metav1.Object).GetName(); name != "a" {
		t.Errorf("name %s", name)
	}
}
