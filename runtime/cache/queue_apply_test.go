package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/deltaqueue"
)

// boat is an object with a UID and a resource version.
func boat(namespace, name, uid, rv string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, UID: types.UID(uid), ResourceVersion: rv,
	}}
}

// heard is a sink that records its calls, and the content of the store at that time.
type heard struct {
	store objectStore

	mu  sync.Mutex
	log []string
}

func (h *heard) publish(changes []delta.Delta) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range changes {
		h.log = append(h.log, h.describe(&changes[i]))
	}
}

func (h *heard) describe(c *delta.Delta) string {
	verb := "update"
	switch {
	case c.Kind == delta.Delete:
		verb = "delete"
	case c.Old == nil:
		verb = "add"
	}
	if c.Initial {
		verb += " initially"
	}
	if tombstone, ok := c.Object.(DeletedFinalStateUnknown); ok {
		return fmt.Sprintf("%s %s, last known at %s", verb, tombstone.Key, delta.MetadataOf(tombstone.Obj).GetResourceVersion())
	}
	if c.Kind == delta.Set {
		if held, ok := h.store.Object(c.Name); !ok || held != c.Object {
			verb = "unstored " + verb
		}
	}
	return fmt.Sprintf("%s %s at %s", verb, c.Name, delta.MetadataOf(c.Object).GetResourceVersion())
}

func (h *heard) markSynced() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.log = append(h.log, "synced")
}

func (h *heard) told() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.log)
}

// flow is a queue with one source for each namespace, and the parts after it.
type flow struct {
	*applier
	store   objectStore
	heard   *heard
	sources []*deltaqueue.Source
}

func newFlow(namespaces ...string) *flow {
	store := newObjectStore(MetaNamespaceKeyFunc, Indexers{}, storeOptions{versionFromBookmarks: len(namespaces) > 1})
	q := deltaqueue.New(deltaqueue.Options{Name: newNamer(MetaNamespaceKeyFunc), TombstoneKey: tombstoneKey, Known: store, Sources: len(namespaces)})
	h := &heard{store: store}
	f := &flow{store: store, heard: h}
	f.applier = newApplier(applierOptions{queue: q, store: store, sink: h})
	for i, namespace := range namespaces {
		f.sources = append(f.sources, q.Source(i, delta.Scope{Namespace: namespace}))
	}
	return f
}

// all applies all queued deltas.
func (f *flow) all(t *testing.T) {
	t.Helper()
	f.queue.Close(false)
	f.run(t.Context())
}

func TestApplier(t *testing.T) {
	a := func(rv string) any { return boat("n", "a", "ua", rv) }
	b := func(rv string) any { return boat("n", "b", "ub", rv) }
	list := func(s *deltaqueue.Source, rv string, objs ...any) error { return s.Replace(objs, rv) }
	cases := map[string]struct {
		namespaces []string
		do         func(s []*deltaqueue.Source) error
		want       []string
		rv         string // of the store
	}{
		"a list, then changes": {
			do: func(s []*deltaqueue.Source) error {
				return errors.Join(list(s[0], "5", a("1"), b("2")), s[0].Update(a("6")), s[0].Delete(b("7")), s[0].Add(b("8")))
			},
			want: []string{"add initially n/a at 1", "add initially n/b at 2", "synced", "update n/a at 6", "delete n/b at 7", "add n/b at 8"},
			rv:   "8",
		},
		"an empty list": {
			do:   func(s []*deltaqueue.Source) error { return list(s[0], "5") },
			want: []string{"synced"},
			rv:   "5",
		},
		"several changes of an object at once": {
			do: func(s []*deltaqueue.Source) error {
				return errors.Join(s[0].Add(a("1")), s[0].Update(a("2")), s[0].Delete(a("3")), s[0].Add(a("4")))
			},
			want: []string{"unstored add n/a at 1", "unstored update n/a at 2", "delete n/a at 3", "add n/a at 4"},
			rv:   "4",
		},
		"a second list deletes missing objects, and delivers no unchanged ones": {
			do: func(s []*deltaqueue.Source) error {
				return errors.Join(list(s[0], "5", a("1"), b("2")), list(s[0], "9", b("2")))
			},
			want: []string{"add initially n/a at 1", "add initially n/b at 2", "synced", "delete n/a, last known at 1"},
			rv:   "9",
		},
		"a list deletes objects queued before it": {
			do: func(s []*deltaqueue.Source) error {
				return errors.Join(list(s[0], "5", a("1")), s[0].Update(a("6")), s[0].Add(b("7")), list(s[0], "9", a("6")))
			},
			want: []string{"add initially n/a at 1", "synced", "update n/a at 6", "add n/b at 7", "delete n/b, last known at 7"},
			rv:   "9",
		},
		"a bookmark after changes": {
			do: func(s []*deltaqueue.Source) error {
				return errors.Join(list(s[0], "5", a("1")), s[0].Update(a("6")), s[0].Bookmark("30"))
			},
			want: []string{"add initially n/a at 1", "synced", "update n/a at 6"},
			rv:   "30",
		},
		"a deletion of a missing object": {
			do:   func(s []*deltaqueue.Source) error { return s[0].Delete(a("3")) },
			want: []string{"delete n/a at 3"},
			rv:   "3",
		},
		"two namespaces sync when both are listed": {
			namespaces: []string{"n", "m"},
			do: func(s []*deltaqueue.Source) error {
				return errors.Join(list(s[0], "5", a("1")), list(s[0], "6", a("2")), list(s[1], "7", boat("m", "c", "uc", "3")))
			},
			want: []string{"add initially n/a at 1", "update n/a at 2", "add initially m/c at 3", "synced"},
			rv:   "6",
		},
		"a list of one namespace leaves the other alone": {
			namespaces: []string{"n", "m"},
			do: func(s []*deltaqueue.Source) error {
				return errors.Join(list(s[0], "5", a("1")), list(s[1], "6", boat("m", "c", "uc", "3")), list(s[1], "7"))
			},
			want: []string{"add initially n/a at 1", "add initially m/c at 3", "synced", "delete m/c, last known at 3"},
			rv:   "5",
		},
		"the store is as new as the oldest of the sources": {
			namespaces: []string{"n", "m"},
			do: func(s []*deltaqueue.Source) error {
				return errors.Join(list(s[0], "5"), list(s[1], "9"), s[0].Add(a("20")), s[0].Add(b("40")), s[1].Bookmark("30"))
			},
			want: []string{"synced", "add n/a at 20", "add n/b at 40"},
			rv:   "30",
		},
		"the store is as new as the oldest of the bookmarks": {
			namespaces: []string{"n", "m"},
			do: func(s []*deltaqueue.Source) error {
				return errors.Join(list(s[0], "5"), list(s[1], "9"), s[0].Bookmark("20"), s[1].Bookmark("30"))
			},
			want: []string{"synced"},
			rv:   "20",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if c.namespaces == nil {
				c.namespaces = []string{""}
			}
			f := newFlow(c.namespaces...)
			if err := c.do(f.sources); err != nil {
				t.Fatal(err)
			}
			f.all(t)
			if got := f.heard.told(); !slices.Equal(got, c.want) {
				t.Errorf("told\n%q, want\n%q", got, c.want)
			}
			if got := f.store.LastStoreSyncResourceVersion(); got != c.rv {
				t.Errorf("the store is at %q, want %q", got, c.rv)
			}
			if got, want := f.synced.happened(), slices.Contains(c.want, "synced"); got != want {
				t.Errorf("hasSynced = %t, want %t", got, want)
			}
		})
	}
}

func TestApplierKeepsWhatCannotBeRead(t *testing.T) {
	f := newFlow("")
	s := f.sources[0]
	if err := s.Replace([]any{boat("n", "a", "ua", "1"), boat("n", "b", "ub", "1")}, "5"); err != nil {
		t.Fatal(err)
	}
	r := s.StartList(1)
	r.Keep(delta.Name{Namespace: "n", Name: "a"})
	r.Keep(delta.Name{Namespace: "n", Name: "new"})
	if err := r.Commit("6"); err != nil {
		t.Fatal(err)
	}
	f.all(t)
	want := []string{"add initially n/a at 1", "add initially n/b at 1", "synced", "delete n/b, last known at 1"}
	if got := f.heard.told(); !slices.Equal(got, want) {
		t.Errorf("received %q, want %q", got, want)
	}
	if got := f.store.ListKeys(); !slices.Equal(got, []string{"n/a"}) {
		t.Errorf("held: %q", got)
	}
}

func TestApplierReusesAcrossLists(t *testing.T) {
	f := newFlow("")
	first := boat("n", "a", "ua", "1")
	if err := f.sources[0].Replace([]any{first}, "5"); err != nil {
		t.Fatal(err)
	}
	changes, _ := f.queue.Pop(t.Context())
	f.apply(changes)
	if err := f.sources[0].Replace([]any{boat("n", "a", "ua", "1")}, "6"); err != nil {
		t.Fatal(err)
	}
	f.all(t)
	if held, _ := f.store.Object(delta.Name{Namespace: "n", Name: "a"}); held != any(first) {
		t.Error("the object was stored again")
	}
}

func TestApplierDoesNotKeepTheList(t *testing.T) {
	f := newFlow("")
	if err := errors.Join(f.sources[0].Replace([]any{boat("n", "a", "ua", "1")}, "5"), f.sources[0].Update(boat("n", "a", "ua", "6"))); err != nil {
		t.Fatal(err)
	}
	changes, _ := f.queue.Pop(t.Context())
	f.apply(changes)
	if changes[0].List != nil {
		t.Error("the list is retained with the published deltas")
	}
}

// During locked, the store agrees with what was published, and both do not change.
func TestApplierLocked(t *testing.T) {
	f := newFlow("")
	const count = 2000
	var running sync.WaitGroup
	running.Go(func() { f.run(t.Context()) })
	running.Go(func() {
		for i := range count {
			_ = f.sources[0].Add(boat("n", fmt.Sprint(i), "u", "1"))
		}
		f.queue.Close(false)
	})
	for f.store.Len() < count {
		f.locked(func() {
			if held, told := f.store.Len(), len(f.heard.told()); held != told {
				t.Errorf("%d are stored and %d were published", held, told)
			}
		})
	}
	running.Wait()
}

func TestApplierWaitsUntilApplied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFlow("n", "m")
		var running sync.WaitGroup
		ctx, cancel := context.WithCancel(t.Context())
		running.Go(func() { f.run(ctx) })
		waited := make(chan error, 1)
		running.Go(func() { waited <- f.progress.wait(t.Context(), allAt("8")) })
		steps := []func() error{
			func() error { return f.sources[0].Replace(nil, "9") },
			func() error { return f.sources[1].Replace(nil, "5") },
			func() error { return f.sources[1].Update(boat("m", "a", "ua", "7")) },
		}
		for _, step := range steps {
			if err := step(); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if len(waited) > 0 {
				t.Fatal("did not wait")
			}
		}
		if err := f.sources[1].Bookmark("8"); err != nil {
			t.Fatal(err)
		}
		if err := <-waited; err != nil {
			t.Error(err)
		}
		running.Go(func() { waited <- f.progress.wait(t.Context(), allAt("100")) })
		synctest.Wait()
		cancel()
		if err := <-waited; !errors.Is(err, errStopped) {
			t.Errorf("wait: %v, want %v", err, errStopped)
		}
		running.Wait()
	})
}

func TestApplierObserves(t *testing.T) {
	f := newFlow("")
	var batches []int
	f.observe = func(queued int, took time.Duration) {
		if took < 0 {
			t.Errorf("took %v", took)
		}
		batches = append(batches, queued)
	}
	for range deltaqueue.ChunkSize + 1 {
		if err := f.sources[0].Bookmark("1"); err != nil {
			t.Fatal(err)
		}
	}
	f.all(t)
	if !slices.Equal(batches, []int{1, 0}) {
		t.Errorf("queued after each batch: %v, want [1 0]", batches)
	}
}
