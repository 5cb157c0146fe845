package informers_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/informers"
	"github.com/listwatch/listwatch/runtime/listers"
)

// readers read from an informer's indexer in all ways that can return an error.
func readers(indexer cache.Indexer) map[string]func() error {
	lister := listers.New[*object](indexer, boats.GroupResource())
	inA := listers.NewNamespaced(lister, "a")
	generic := cache.NewGenericLister(indexer, boats.GroupResource())
	one := &named("a", "one")[0]
	name := labels.SelectorFromSet(labels.Set{"not": "there"})
	return map[string]func() error{
		"lister.List":              func() error { _, err := lister.List(labels.Everything()); return err },
		"lister.List with labels":  func() error { _, err := lister.List(name); return err },
		"lister.List in namespace": func() error { _, err := inA.List(labels.Everything()); return err },
		"lister.Get":               func() error { _, err := inA.Get("one"); return err },
		"generic lister.List":      func() error { _, err := generic.List(labels.Everything()); return err },
		"generic lister.Get":       func() error { _, err := generic.ByNamespace("a").Get("one"); return err },
		"ListAll":                  func() error { return cache.ListAll(indexer, labels.Everything(), func(any) {}) },
		"ListAllByNamespace":       func() error { return cache.ListAllByNamespace(indexer, "a", name, func(any) {}) },
		"Get":                      func() error { _, _, err := indexer.Get(one); return err },
		"GetByKey":                 func() error { _, _, err := indexer.GetByKey("a/one"); return err },
		"ByIndex":                  func() error { _, err := indexer.ByIndex(cache.NamespaceIndex, "a"); return err },
		"Index":                    func() error { _, err := indexer.Index(cache.NamespaceIndex, one); return err },
		"IndexKeys":                func() error { _, err := indexer.IndexKeys(cache.NamespaceIndex, "a"); return err },
	}
}

// typedReaders are readers of typed objects.
func typedReaders(informer cache.SharedIndexInformer) map[string]func() error {
	indexer := cache.NewTypedSharedIndexInformer[*object](informer).GetTypedIndexer()
	return map[string]func() error{
		"ByTypedIndex": func() error { _, err := indexer.ByTypedIndex(cache.NamespaceIndex, "a"); return err },
		"TypedIndex":   func() error { _, err := indexer.TypedIndex(cache.NamespaceIndex, &named("a", "one")[0]); return err },
	}
}

// TestReadingFromAReleasedInformer reads from an informer that has stopped.
func TestReadingFromAReleasedInformer(t *testing.T) {
	byNamespace := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	for _, test := range []struct {
		name string
		run  func(ctx context.Context, t *testing.T, f factory) (release func())
		want error
	}{
		{"released", func(_ context.Context, t *testing.T, f factory) func() { return acquire(t.Context(), t, f) }, cache.ErrReleased},
		{"acquired for a time", func(ctx context.Context, t *testing.T, f factory) func() { return acquire(ctx, t, f) }, cache.ErrReleased},
		{"started", func(ctx context.Context, t *testing.T, f factory) func() { f.StartWithContext(ctx); return func() {} }, nil},
		{"started and acquired", func(ctx context.Context, t *testing.T, f factory) func() {
			f.StartWithContext(ctx)
			return acquire(t.Context(), t, f)
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFactory(&server{objects: named("a", "one")}, informers.Config{Options: informers.Options{Indexers: byNamespace}})
				informer := f.boats()
				ctx, cancel := context.WithCancel(t.Context())
				release := test.run(ctx, t, f)
				synctest.Wait()
				all := readers(informer.GetIndexer())
				for name, read := range typedReaders(informer) {
					all[name] = read
				}
				for name, read := range all {
					if err := read(); err != nil {
						t.Errorf("%s: got error %v while it runs", name, err)
					}
				}
				release()
				cancel()
				synctest.Wait()
				for name, read := range all {
					if err := read(); !errors.Is(err, test.want) {
						t.Errorf("%s: got error %v, want %v", name, err, test.want)
					}
				}
				state := cache.StateOf(informer)
				if state.Phase != cache.PhaseStopped || state.Released != (test.want != nil) || test.want != nil && !errors.Is(state.Unsynced(), test.want) {
					t.Errorf("phase %s, released: %v, %v", state.Phase, state.Released, state.Unsynced())
				}
				if got := keys(informer); !slices.Equal(got, []string{"a/one"}) {
					t.Errorf("a method without an error returns %v", got)
				}
				if test.want == nil {
					return
				}
				// The next informer is a new one, which can be read.
				again := f.boats()
				release = acquire(t.Context(), t, f)
				synctest.Wait()
				for name, read := range readers(again.GetIndexer()) {
					if err := read(); err != nil {
						t.Errorf("%s: got error %v from the next informer", name, err)
					}
				}
				release()
				f.Shutdown()
			})
		})
	}
}
