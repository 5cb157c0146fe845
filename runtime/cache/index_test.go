package cache_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache"
)

// crew is an index function: the names in an annotation.
func crew(obj any) ([]string, error) {
	names := obj.(*metav1.PartialObjectMetadata).Annotations["crew"]
	switch names {
	case "":
		return nil, nil
	case "?":
		return nil, errors.New("crew unknown")
	case "!":
		panic("mutiny")
	}
	return strings.Split(names, ","), nil
}

func raft(namespace, name, crew string) *metav1.PartialObjectMetadata {
	obj := named(namespace, name)
	obj.Annotations = map[string]string{"crew": crew}
	return obj
}

func newFleet(t *testing.T, rafts ...any) cache.Indexer {
	t.Helper()
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		"crew":               crew,
	})
	for _, b := range rafts {
		if err := indexer.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	return indexer
}

func keysOf[T any](objects []T) []string {
	keys := []string{}
	for _, obj := range objects {
		key, _ := cache.MetaNamespaceKeyFunc(obj)
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func TestIndexer(t *testing.T) {
	indexer := newFleet(t, raft("a", "one", "ann,ben"), raft("a", "two", "ben"), raft("b", "one", ""), raft("", "raft", "eve,eve"))
	for _, tt := range []struct {
		index, value string
		want         []string
	}{
		{"crew", "ann", []string{"a/one"}},
		{"crew", "ben", []string{"a/one", "a/two"}},
		{"crew", "eve", []string{"raft"}},
		{"crew", "nobody", []string{}},
		{cache.NamespaceIndex, "a", []string{"a/one", "a/two"}},
		{cache.NamespaceIndex, "", []string{"raft"}},
	} {
		objects, err := indexer.ByIndex(tt.index, tt.value)
		if diff := cmp.Diff(tt.want, keysOf(objects)); diff != "" || err != nil || objects == nil {
			t.Errorf("by %s %q: %v%s", tt.index, tt.value, err, diff)
		}
		keys, err := indexer.IndexKeys(tt.index, tt.value)
		if diff := cmp.Diff(tt.want, keys); diff != "" || err != nil {
			t.Errorf("keys of %s %q: %v%s", tt.index, tt.value, err, diff)
		}
	}
	for crew, want := range map[string][]string{
		"ann,eve": {"a/one", "raft"},
		"ann,ben": {"a/one", "a/two"},
		"ben":     {"a/one", "a/two"},
		"":        {},
	} {
		objects, err := indexer.Index("crew", raft("x", "y", crew))
		if diff := cmp.Diff(want, keysOf(objects)); diff != "" || err != nil {
			t.Errorf("with crew %q: %v%s", crew, err, diff)
		}
	}
	if got := slices.Sorted(slices.Values(indexer.ListIndexFuncValues("crew"))); !slices.Equal(got, []string{"ann", "ben", "eve"}) {
		t.Errorf("crew is %v", got)
	}
}

func TestIndexerErrors(t *testing.T) {
	indexer := newFleet(t)
	_, byIndex := indexer.ByIndex("captain", "x")
	_, indexKeys := indexer.IndexKeys("captain", "x")
	_, index := indexer.Index("captain", raft("a", "one", ""))
	for _, err := range []error{byIndex, indexKeys, index} {
		if err == nil || err.Error() != `index "captain" does not exist` {
			t.Errorf("got %v", err)
		}
	}
	if got := indexer.ListIndexFuncValues("captain"); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	if _, err := indexer.Index("crew", raft("a", "one", "?")); err == nil || err.Error() != "crew unknown" {
		t.Errorf("got %v", err)
	}
	if _, err := indexer.Index("crew", raft("a", "one", "!")); err == nil || err.Error() != "index function panicked: mutiny" {
		t.Errorf("got %v", err)
	}
}

func TestIndexFuncFailure(t *testing.T) {
	indexer := newFleet(t, raft("a", "one", "ann"), raft("a", "two", "ann"))
	for _, crew := range []string{"?", "!"} {
		if err := indexer.Update(raft("a", "one", crew)); err != nil {
			t.Fatal(err)
		}
		if keys, _ := indexer.IndexKeys("crew", "ann"); !slices.Equal(keys, []string{"a/two"}) {
			t.Errorf("crew %s: %v", crew, keys)
		}
		if keys, _ := indexer.IndexKeys(cache.NamespaceIndex, "a"); !slices.Equal(keys, []string{"a/one", "a/two"}) {
			t.Errorf("crew %s: in the namespace are %v", crew, keys)
		}
		if err := indexer.Update(raft("a", "one", "ann")); err != nil {
			t.Fatal(err)
		}
		if keys, _ := indexer.IndexKeys("crew", "ann"); !slices.Equal(keys, []string{"a/one", "a/two"}) {
			t.Errorf("after crew %s: %v", crew, keys)
		}
	}
}

func TestAddIndexers(t *testing.T) {
	indexer := newFleet(t, raft("a", "one", "ann"))
	name := func(obj any) ([]string, error) { return []string{obj.(*metav1.PartialObjectMetadata).Name}, nil }
	err := indexer.AddIndexers(cache.Indexers{"crew": crew, "name": name, cache.NamespaceIndex: crew})
	if err == nil || err.Error() != "indexer conflict: crew, namespace" {
		t.Fatalf("got %v", err)
	}
	if _, exists := indexer.GetIndexers()["name"]; exists {
		t.Error("some are added although others are taken")
	}
	if err := indexer.AddIndexers(cache.Indexers{"name": name, "crew2": crew}); err != nil {
		t.Fatal(err)
	}
	if err := indexer.Add(raft("b", "one", "ben")); err != nil {
		t.Fatal(err)
	}
	for index, want := range map[string][]string{"name": {"one"}, "crew2": {"ann", "ben"}, "crew": {"ann", "ben"}} {
		if got := slices.Sorted(slices.Values(indexer.ListIndexFuncValues(index))); !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", index, got, want)
		}
	}
	if got := len(indexer.GetIndexers()); got != 4 {
		t.Errorf("%d indexers", got)
	}
	delete(indexer.GetIndexers(), "crew")
	if _, err := indexer.ByIndex("crew", "ann"); err != nil {
		t.Errorf("the indexers that were returned are the store's own: %v", err)
	}
}

// TestIndexFuncMayRead has an index function read the store that calls it.
func TestIndexFuncMayRead(t *testing.T) {
	var store cache.Indexer
	store = cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{"size": func(any) ([]string, error) {
		return []string{strings.Repeat("x", len(store.List()))}, nil
	}})
	for _, name := range []string{"a", "b"} {
		if err := store.Add(named("", name)); err != nil {
			t.Fatal(err)
		}
	}
	if keys, _ := store.IndexKeys("size", "x"); !slices.Equal(keys, []string{"b"}) {
		t.Errorf("got %v", keys)
	}
}

func TestIndexFuncToKeyFuncAdapter(t *testing.T) {
	key := cache.IndexFuncToKeyFuncAdapter(crew)
	for crew, want := range map[string]string{"ann": "ann", "ann,ben": "too many keys: [ann ben]", "": "unexpected empty indexKeys", "?": "crew unknown"} {
		got, err := key(raft("a", "one", crew))
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("crew %q: got %q, want %q", crew, got, want)
		}
	}
}

// TestReadersBesideWriters is for the race detector.
func TestReadersBesideWriters(t *testing.T) {
	indexer := newFleet(t)
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := range 300 {
				b := raft([]string{"a", "b"}[i%2], string(rune('a'+i%20)), []string{"", "ann", "ann,ben", "?"}[(i+w)%4])
				switch {
				case i%50 == 0:
					_ = indexer.Replace([]any{b}, "1")
				case i%3 == 0:
					_ = indexer.Delete(b)
				default:
					_ = indexer.Update(b)
				}
				if i == 100 && w == 0 {
					_ = indexer.AddIndexers(cache.Indexers{"late": crew})
				}
			}
		})
		wg.Go(func() {
			for range 300 {
				_, _, _ = indexer.GetByKey("a/a")
				_, _ = indexer.ByIndex("crew", "ann")
				_, _ = indexer.IndexKeys("late", "ben")
				_, _ = indexer.Index("crew", raft("a", "x", "ann,ben"))
				_, _, _, _ = indexer.List(), indexer.ListKeys(), indexer.GetIndexers(), indexer.ListIndexFuncValues("crew")
				_ = indexer.LastStoreSyncResourceVersion()
			}
		})
	}
	wg.Wait()
}
