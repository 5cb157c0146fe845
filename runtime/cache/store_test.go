package cache_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
)

func versioned(namespace, name, rv string) *metav1.PartialObjectMetadata {
	obj := named(namespace, name)
	obj.ResourceVersion = rv
	return obj
}

func keysInOrder(store cache.Store) []string { return slices.Sorted(slices.Values(store.ListKeys())) }

func TestStore(t *testing.T) {
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	if list, keys := store.List(), store.ListKeys(); list == nil || len(list) != 0 || len(keys) != 0 {
		t.Fatalf("a new store contains %v, %v", list, keys)
	}
	first, second := versioned("a", "x", "1"), versioned("a", "x", "2")
	steps := []struct {
		name string
		do   func() error
		want any // stored as a/x
		rv   string
	}{
		{"add", func() error { return store.Add(first) }, first, "1"},
		{"update", func() error { return store.Update(second) }, second, "2"},
		{"add again", func() error { return store.Add(first) }, first, "1"},
		{"delete a missing object", func() error { return store.Delete(versioned("a", "y", "3")) }, first, "3"},
		{"delete", func() error { return store.Delete(versioned("a", "x", "4")) }, nil, "4"},
		{"update a missing object", func() error { return store.Update(second) }, second, "2"},
		{"no version", func() error { return store.Add(named("b", "x")) }, second, "2"},
		{"bookmark", func() error { store.Bookmark("9"); return nil }, second, "9"},
		{"replace", func() error { return store.Replace([]any{first, second, named("b", "y")}, "20") }, second, "20"},
		{"resync", store.Resync, second, "20"},
		{"replace by nothing", func() error { return store.Replace(nil, "30") }, nil, "30"},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		got, exists, err := store.GetByKey("a/x")
		byObject, existsByObject, errByObject := store.Get(named("a", "x"))
		if got != step.want || exists != (step.want != nil) || err != nil || byObject != got || existsByObject != exists || errByObject != nil {
			t.Errorf("%s: got %v, %v, %v", step.name, got, exists, err)
		}
		if rv := store.LastStoreSyncResourceVersion(); rv != step.rv {
			t.Errorf("%s: resource version is %q, want %q", step.name, rv, step.rv)
		}
	}
	if len(store.ListKeys()) != 0 {
		t.Errorf("still there: %v", store.ListKeys())
	}
}

func TestStoreListIsTheCallers(t *testing.T) {
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	for i := range 3 {
		if err := store.Add(named("", fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	clear(store.List())
	if slices.Contains(store.List(), nil) {
		t.Error("a list that was cleared is the store's own")
	}
}

func TestStoreForOtherObjects(t *testing.T) {
	store := cache.NewStore(func(obj any) (string, error) { return strings.ToLower(obj.(string)), nil })
	for _, s := range []string{"A", "a", "B"} {
		if err := store.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if got, _, _ := store.Get("A"); got != "a" || len(store.List()) != 2 {
		t.Errorf("got %v of %v", got, store.List())
	}
	if err := store.Delete("b"); err != nil || len(store.List()) != 1 {
		t.Errorf("got %v, %v", store.List(), err)
	}
}

func TestWithTransformer(t *testing.T) {
	refused := errors.New("refused")
	store := cache.NewStore(cache.MetaNamespaceKeyFunc, cache.WithTransformer(func(obj any) (any, error) {
		m := obj.(*metav1.PartialObjectMetadata)
		if m.Name == "bad" {
			return nil, refused
		}
		return m.Name, nil
	}))
	transactional := store.(cache.TransactionStore)
	for name, add := range map[string]func(any) error{
		"add":     store.Add,
		"update":  store.Update,
		"replace": func(obj any) error { return store.Replace([]any{obj}, "1") },
		"transaction": func(obj any) error {
			if err := transactional.Transaction(cache.Transaction{Type: cache.TransactionTypeAdd, Object: obj}); err != nil {
				return err.Errors[0]
			}
			return nil
		},
	} {
		if err := add(named("ns", name)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, _, _ := store.GetByKey("ns/" + name); got != name {
			t.Errorf("%s: contains %v", name, got)
		}
		if err := add(named("ns", "bad")); !errors.Is(err, refused) {
			t.Errorf("%s: got %v", name, err)
		}
		if got, _, _ := store.GetByKey("ns/" + name); got != name {
			t.Errorf("%s: a refused object leaves %v", name, got)
		}
	}
}

func TestTransaction(t *testing.T) {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	if err := indexer.Add(named("a", "old")); err != nil {
		t.Fatal(err)
	}
	store := indexer.(cache.TransactionStore)
	if err := store.Transaction(); err != nil {
		t.Errorf("nothing: %v", err)
	}
	err := store.Transaction(
		cache.Transaction{Type: cache.TransactionTypeAdd, Object: versioned("a", "x", "5")},
		cache.Transaction{Type: cache.TransactionTypeAdd, Object: "no object"},
		cache.Transaction{Type: cache.TransactionTypeUpdate, Object: named("a", "x")},
		cache.Transaction{Type: "Explode", Object: named("a", "old")},
		cache.Transaction{Type: cache.TransactionTypeDelete, Object: versioned("a", "old", "6")},
	)
	if err == nil || !slices.Equal(err.SuccessfulIndices, []int{0, 2, 4}) || err.TotalTransactions != 5 || len(err.Errors) != 2 {
		t.Fatalf("got %v", err)
	}
	var keyErr cache.KeyError
	if !errors.As(err.Errors[0], &keyErr) || !strings.Contains(err.Error(), "(2/5)") || !strings.Contains(err.Error(), `"Explode"`) {
		t.Errorf("got %v", err)
	}
	if got := keysInOrder(indexer); !slices.Equal(got, []string{"a/x"}) || indexer.LastStoreSyncResourceVersion() != "6" {
		t.Errorf("contains %v as of %s", got, indexer.LastStoreSyncResourceVersion())
	}
}

// TestAtomicity reads while all objects are replaced atomically: readers must never see some of
// both.
func TestAtomicity(t *testing.T) {
	const objects = 500
	generations := make([][]any, 2)
	for g := range generations {
		for i := range objects {
			generations[g] = append(generations[g], named(fmt.Sprint("generation", g), fmt.Sprint(i)))
		}
	}
	swaps := map[string]func(cache.Indexer, int){
		"replace": func(store cache.Indexer, g int) { _ = store.Replace(slices.Clone(generations[g]), "1") },
		"transaction": func(store cache.Indexer, g int) {
			var txns []cache.Transaction
			for i := range objects {
				txns = append(txns,
					cache.Transaction{Type: cache.TransactionTypeDelete, Object: generations[1-g][i]},
					cache.Transaction{Type: cache.TransactionTypeAdd, Object: generations[g][i]})
			}
			_ = store.(cache.TransactionStore).Transaction(txns...)
		},
	}
	for name, swap := range swaps {
		t.Run(name, func(t *testing.T) {
			store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
			swap(store, 0)
			stop := make(chan struct{})
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() {
					for {
						select {
						case <-stop:
							return
						default:
						}
						if list := store.List(); len(list) != objects || list[0].(*metav1.PartialObjectMetadata).Namespace != list[objects-1].(*metav1.PartialObjectMetadata).Namespace {
							t.Errorf("a list of %d, from %v to %v", len(list), list[0], list[len(list)-1])
							return
						}
						if values := store.ListIndexFuncValues(cache.NamespaceIndex); len(values) != 1 {
							t.Errorf("namespaces %v in one read", values)
							return
						}
						// A deleted object does not reappear while another exists.
						_, first, _ := store.GetByKey("generation0/0")
						if list, _ := store.ByIndex(cache.NamespaceIndex, "generation0"); len(list) != 0 && len(list) != objects {
							t.Errorf("%d objects of a generation; the first was there: %v", len(list), first)
							return
						}
					}
				})
			}
			for i := range 60 {
				swap(store, (i+1)%2)
			}
			close(stop)
			wg.Wait()
		})
	}
}

func TestUpdateAllocatesNothing(t *testing.T) {
	values := []string{"red"}
	store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		"color":              func(any) ([]string, error) { return values, nil },
	})
	objects := []any{versioned("space", "name", "1"), versioned("space", "name", "2")}
	i := 0
	for what, f := range map[string]func(){
		"Update":   func() { _ = store.Update(objects[i%2]) },
		"Get":      func() { _, _, _ = store.Get(objects[0]) },
		"GetByKey": func() { _, _, _ = store.GetByKey("space/name") },
	} {
		if got := testing.AllocsPerRun(100, func() { f(); i++ }); got != 0 {
			t.Errorf("%s: %v allocations", what, got)
		}
	}
}

// rememberingGauge is a metric that records its values.
type rememberingGauge struct{ values []float64 }

func (g *rememberingGauge) Set(v float64) { g.values = append(g.values, v) }

type fakeStoreMetrics struct {
	cache.InformerMetricsProvider
	made map[string]*rememberingGauge
}

func (m fakeStoreMetrics) NewStoreResourceVersionMetric(id cache.InformerNameAndResource) cache.GaugeMetric {
	g := &rememberingGauge{}
	m.made[id.Name()] = g
	return g
}

func TestStoreMetrics(t *testing.T) {
	name, err := cache.NewInformerName("store-metrics")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(name.Release)
	metrics := fakeStoreMetrics{made: map[string]*rememberingGauge{}}
	id := name.WithResource(schema.GroupVersionResource{Version: "v1", Resource: "boats"})
	store := cache.NewThreadSafeStore(cache.Indexers{}, cache.Indices{}, cache.WithThreadSafeStoreMetrics(id, metrics))
	for _, rv := range []string{"7", "7", "not a number", "123456789012345678"} {
		store.Update("a", versioned("", "a", rv))
	}
	store.Bookmark("")
	want := map[string][]float64{"store-metrics": {7, 456789012345678, 0}}
	got := map[string][]float64{}
	for k, g := range metrics.made {
		got[k] = g.values
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	cache.NewStore(cache.MetaNamespaceKeyFunc, cache.WithStoreMetrics(cache.InformerNameAndResource{}, metrics))
	if len(metrics.made) != 1 {
		t.Error("a metric is created without a name")
	}
}
