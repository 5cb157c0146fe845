package cache_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache"
)

// crew is an index function that returns the names in an annotation.
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
		if err == nil || err.Error() != "Index with name captain does not exist" {
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
		if keys, err := indexer.IndexKeys("crew", "ann"); !slices.Equal(keys, []string{"a/two"}) || err == nil {
			t.Errorf("crew %s: %v, %v", crew, keys, err)
		}
		if keys, err := indexer.IndexKeys(cache.NamespaceIndex, "a"); !slices.Equal(keys, []string{"a/one", "a/two"}) || err != nil {
			t.Errorf("crew %s: in the namespace are %v, %v", crew, keys, err)
		}
		if err := indexer.Update(raft("a", "one", "ann")); err != nil {
			t.Fatal(err)
		}
		if keys, err := indexer.IndexKeys("crew", "ann"); !slices.Equal(keys, []string{"a/one", "a/two"}) || err != nil {
			t.Errorf("after crew %s: %v, %v", crew, keys, err)
		}
	}
}

// withIndexer is an informer with another store.
type withIndexer struct {
	cache.SharedIndexInformer
	indexer cache.Indexer
}

func (i withIndexer) GetIndexer() cache.Indexer { return i.indexer }

func typedIndexer(indexer cache.Indexer) cache.TypedIndexer[*metav1.PartialObjectMetadata] {
	return cache.NewTypedSharedIndexInformer[*metav1.PartialObjectMetadata](withIndexer{indexer: indexer}).GetTypedIndexer()
}

// TestIncompleteIndex checks that every read of an index with missing objects returns the objects
// found, and an error, until none is missing any more.
func TestIncompleteIndex(t *testing.T) {
	type reads map[string]func() ([]string, error)
	readsOf := func(indexer cache.Indexer) reads {
		typed, foreign := typedIndexer(indexer), typedIndexer(foreignIndexer{indexer})
		mutations := cache.NewIntegerResourceVersionMutationCache(klog.Background(), indexer, indexer, 0, true)
		like := raft("", "", "ann")
		return reads{
			"ByIndex":   func() ([]string, error) { l, err := indexer.ByIndex("crew", "ann"); return keysOf(l), err },
			"Index":     func() ([]string, error) { l, err := indexer.Index("crew", like); return keysOf(l), err },
			"IndexKeys": func() ([]string, error) { return indexer.IndexKeys("crew", "ann") },
			"ByTypedIndex": func() ([]string, error) {
				l, err := typed.ByTypedIndex("crew", "ann")
				return keysOf(l), err
			},
			"TypedIndex": func() ([]string, error) { l, err := typed.TypedIndex("crew", like); return keysOf(l), err },
			"foreign ByTypedIndex": func() ([]string, error) {
				l, err := foreign.ByTypedIndex("crew", "ann")
				return keysOf(l), err
			},
			"foreign TypedIndex": func() ([]string, error) {
				l, err := foreign.TypedIndex("crew", like)
				return keysOf(l), err
			},
			"MutationCache.ByIndex": func() ([]string, error) {
				l, err := mutations.ByIndex("crew", "ann")
				return keysOf(l), err
			},
		}
	}
	expect := func(t *testing.T, indexer cache.Indexer, want []string, wantErr string, wantMissing int) {
		t.Helper()
		for name, read := range readsOf(indexer) {
			got, err := read()
			if !slices.Equal(got, want) {
				t.Errorf("%s: found %v, want %v", name, got, want)
			}
			var incomplete *cache.IncompleteIndexError
			switch {
			case wantMissing == 0 && err != nil:
				t.Errorf("%s: %v", name, err)
			case wantMissing > 0 && (!errors.As(err, &incomplete) || incomplete.Missing != wantMissing || incomplete.Index != "crew" || err.Error() != wantErr):
				t.Errorf("%s: error %v, want %s", name, err, wantErr)
			}
		}
	}
	indexer := newFleet(t, raft("a", "one", "ann"), raft("a", "two", "ann"), raft("b", "three", "ben"))
	for _, step := range []struct {
		name    string
		do      func() error
		want    []string
		err     string
		missing int
	}{
		{"complete", func() error { return nil }, []string{"a/one", "a/two"}, "", 0},
		{"one fails", func() error { return indexer.Update(raft("a", "one", "?")) },
			[]string{"a/two"}, `index "crew" is missing a/one: crew unknown`, 1},
		{"another panics", func() error { return indexer.Add(raft("b", "four", "!")) },
			[]string{"a/two"}, `index "crew" is missing 2 objects, one of them a/one: crew unknown`, 2},
		{"all that is found fails", func() error { return indexer.Update(raft("a", "two", "?")) },
			[]string{}, `index "crew" is missing 3 objects, one of them a/one: crew unknown`, 3},
		{"one is well again", func() error {
			return errors.Join(indexer.Update(raft("a", "one", "ann")), indexer.Delete(raft("a", "two", "")))
		}, []string{"a/one"}, `index "crew" is missing b/four: index function panicked: mutiny`, 1},
		{"the last is deleted", func() error { return indexer.Delete(raft("b", "four", "")) }, []string{"a/one"}, "", 0},
		{"replaced", func() error { return indexer.Replace([]any{raft("a", "one", "ann"), raft("a", "two", "?")}, "1") },
			[]string{"a/one"}, `index "crew" is missing a/two: crew unknown`, 1},
		{"replaced again", func() error { return indexer.Replace([]any{raft("a", "one", "ann")}, "2") }, []string{"a/one"}, "", 0},
	} {
		t.Run(step.name, func(t *testing.T) {
			if err := step.do(); err != nil {
				t.Fatal(err)
			}
			expect(t, indexer, step.want, step.err, step.missing)
		})
	}
}

// TestIncompleteMutationCache reads written objects from an index whose function fails for one that
// is not in the store.
func TestIncompleteMutationCache(t *testing.T) {
	indexer := newFleet(t, raft("a", "one", "ann"))
	mutations := cache.NewIntegerResourceVersionMutationCache(klog.Background(), indexer, indexer, 0, true)
	mutations.Mutation(raft("a", "two", "?"))
	got, err := mutations.ByIndex("crew", "ann")
	var incomplete *cache.IncompleteIndexError
	if !slices.Equal(keysOf(got), []string{"a/one"}) || !errors.As(err, &incomplete) || incomplete.Missing != 1 || incomplete.Name != cache.NewObjectName("a", "two") {
		t.Errorf("found %v, %v", keysOf(got), err)
	}
}

// TestIncompleteNamespaceIndex has objects that are missing from the index by namespace: the
// objects of a namespace are then found among all, without the index.
func TestIncompleteNamespaceIndex(t *testing.T) {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: func(obj any) ([]string, error) {
		if _, err := crew(obj); err != nil {
			return nil, err
		}
		return cache.MetaNamespaceIndexFunc(obj)
	}})
	for _, obj := range []any{raft("a", "one", "ann"), raft("a", "two", "?"), raft("b", "one", "")} {
		if err := indexer.Add(obj); err != nil {
			t.Fatal(err)
		}
	}
	selector, err := labels.Parse("!hidden")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a/one", "a/two"}
	for name, indexer := range map[string]cache.Indexer{"ours": indexer, "foreign": foreignIndexer{indexer}} {
		for _, selector := range []labels.Selector{labels.Everything(), selector} {
			got, err := cache.ListObjects[*metav1.PartialObjectMetadata](indexer, "a", selector)
			if !slices.Equal(keysOf(got), want) || err != nil {
				t.Errorf("%s, %q: %v, %v", name, selector, keysOf(got), err)
			}
			var listed []any
			err = cache.ListAllByNamespace(indexer, "a", selector, func(obj any) { listed = append(listed, obj) })
			if !slices.Equal(keysOf(listed), want) || err != nil {
				t.Errorf("%s, %q, untyped: %v, %v", name, selector, keysOf(listed), err)
			}
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

// TestIndexFuncMayRead lets an index function read the store that calls it.
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
