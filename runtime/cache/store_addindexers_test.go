package cache_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
	"github.com/listwatch/listwatch/runtime/debug"
)

// askAll calls the methods of an informer that must not wait for an index function.
func askAll(t *testing.T, informer cache.SharedIndexInformer) {
	t.Helper()
	stopped, synced, phase := informer.IsStopped(), informer.HasSynced(), cache.StateOf(informer).Phase
	if stopped || !synced || phase != cache.PhaseLive && phase != cache.PhaseSyncing { // handlers may be syncing
		t.Errorf("stopped is %t, synced is %t, the phase is %s", stopped, synced, phase)
	}
	_ = informer.LastSyncResourceVersion()
	_, _, _ = informer.GetIndexer().ListKeys(), informer.GetIndexer().GetIndexers(), informer.GetIndexer().ListIndexFuncValues("color")
	if objects := informer.GetStore().List(); len(objects) == 0 {
		t.Error("no object is listed")
	}
	debug.Handler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
}

// addHandler is mustAddHandler for goroutines other than the test's.
func addHandler(t *testing.T, informer cache.SharedIndexInformer, handler cache.ResourceEventHandler) {
	if _, err := informer.AddEventHandler(handler); err != nil {
		t.Error(err)
	}
}

func colorOf(obj any) []string { return []string{obj.(*ship).Labels["color"]} }

// TestAddIndexersMakesNobodyWait adds a slow index function: meanwhile the informer continues, and
// then the index contains the new objects.
func TestAddIndexersMakesNobodyWait(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		source.Add(newShip("bay/b", "red"))
		source.Add(newShip("bay/c", "red"))
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		defer run(t, informer)()
		synctest.Wait()

		gate := make(chan struct{})
		added := make(chan error)
		go func() {
			added <- informer.AddIndexers(cache.Indexers{"color": func(obj any) ([]string, error) {
				<-gate
				return colorOf(obj), nil
			}})
		}()
		synctest.Wait()
		askAll(t, informer)
		log := &logbook{}
		mustAddHandler(t, informer, log)
		log.expectUnordered(t, "first bay/a red", "first bay/b red", "first bay/c red")
		source.Modify(newShip("bay/b", "blue"))
		source.Delete(newShip("bay/c", "red"))
		source.Add(newShip("bay/d", "blue"))
		synctest.Wait()
		if diff := cmp.Diff([]string{"bay/a", "bay/b", "bay/d"}, sortedKeys(informer.GetStore())); diff != "" {
			t.Errorf("keys (-want +got):\n%s", diff)
		}
		if _, err := informer.GetIndexer().ByIndex("color", "red"); err == nil {
			t.Error("the index is there before it is complete")
		}
		close(gate)
		if err := <-added; err != nil {
			t.Fatal(err)
		}
		for color, want := range map[string][]string{"red": {"bay/a"}, "blue": {"bay/b", "bay/d"}} {
			if keys, err := informer.GetIndexer().IndexKeys("color", color); err != nil || !slices.Equal(keys, want) {
				t.Errorf("%s are %v (%v), want %v", color, keys, err, want)
			}
		}
	})
}

// TestIndexFuncOfAnEventMakesFewWait uses an index function that is slow for an event: readers do
// not wait, even while another goroutine adds a handler and does.
func TestIndexFuncOfAnEventMakesFewWait(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		gate := make(chan struct{})
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, cache.Indexers{"color": func(obj any) ([]string, error) {
			if obj.(*ship).Name == "slow" {
				<-gate
			}
			return colorOf(obj), nil
		}})
		defer run(t, informer)()
		synctest.Wait()
		source.Add(newShip("bay/slow", "red"))
		synctest.Wait()
		log := &logbook{}
		go addHandler(t, informer, log)
		for range 100 { // until it waits, which Wait does not see
			askAll(t, informer)
		}
		close(gate)
		log.expectUnordered(t, "first bay/a red", "first bay/slow red")
	})
}

// TestIndexFuncAsksInformer lets an index function call the informer whose store calls it, while
// others add handlers.
func TestIndexFuncAsksInformer(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/first", "red"))
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		defer run(t, informer)()
		synctest.Wait()
		if err := informer.AddIndexers(cache.Indexers{"color": func(obj any) ([]string, error) {
			askAll(t, informer)
			return colorOf(obj), nil
		}}); err != nil {
			t.Fatal(err)
		}
		var others sync.WaitGroup
		others.Go(func() {
			for range 20 {
				addHandler(t, informer, cache.ResourceEventHandlerFuncs{})
			}
		})
		for i := range 20 {
			source.Add(newShip(fmt.Sprint("bay/", i), "red"))
		}
		others.Wait()
		synctest.Wait()
		if keys, err := informer.GetIndexer().IndexKeys("color", "red"); err != nil || len(keys) != 21 {
			t.Errorf("indexed are %v (%v)", keys, err)
		}
	})
}

// TestAddIndexersBesideWriters adds indexes to a store whose objects change all the time, some to
// objects of another type: each index is complete when it exists.
func TestAddIndexersBesideWriters(t *testing.T) {
	const objects, indexes = 100, 30
	key := func(obj any) (string, error) {
		if name, ok := obj.(string); ok {
			return name, nil
		}
		return cache.MetaNamespaceKeyFunc(obj)
	}
	store := cache.NewIndexer(key, nil)
	object := func(i, generation int) any {
		if i%10 == generation%10 {
			return fmt.Sprint(i)
		}
		return &ship{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(i), Generation: int64(generation)}}
	}
	write := func(generation int) {
		for i := range objects {
			if err := store.Update(object(i, generation)); err != nil {
				t.Error(err)
			}
		}
	}
	write(0)
	stop := make(chan struct{})
	var writers sync.WaitGroup
	writers.Go(func() {
		for generation := 1; ; generation++ {
			select {
			case <-stop:
				return
			default:
				write(generation)
			}
			if generation%5 == 0 {
				if err := store.Replace(store.List(), fmt.Sprint(generation)); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for i := range indexes {
		index := fmt.Sprint(i)
		if err := store.AddIndexers(cache.Indexers{index: func(any) ([]string, error) { return []string{"all"}, nil }}); err != nil {
			t.Fatal(err)
		}
		if keys, err := store.IndexKeys(index, "all"); err != nil || len(keys) != objects {
			t.Errorf("index %s has %d objects (%v)", index, len(keys), err)
		}
	}
	generation := func(obj any) ([]string, error) {
		if s, ok := obj.(*ship); ok {
			return []string{fmt.Sprint(s.Generation)}, nil
		}
		return nil, nil
	}
	if err := store.AddIndexers(cache.Indexers{"generation": generation}); err != nil {
		t.Fatal(err)
	}
	close(stop)
	writers.Wait()
	want := map[string][]string{}
	for _, obj := range store.List() {
		if values, _ := generation(obj); values != nil {
			want[values[0]] = append(want[values[0]], obj.(*ship).Name)
		}
	}
	for value, names := range want {
		keys, err := store.IndexKeys("generation", value)
		if slices.Sort(names); err != nil || !slices.Equal(keys, names) {
			t.Errorf("of generation %s are %v (%v), want %v", value, keys, err, names)
		}
	}
}

// TestAddIndexersTwice adds two indexes with one name concurrently: one of them fails.
func TestAddIndexersTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, nil)
		if err := store.Add(newShip("bay/a", "red")); err != nil {
			t.Fatal(err)
		}
		gate := make(chan struct{})
		errs := make(chan error)
		for range 2 {
			go func() {
				errs <- store.AddIndexers(cache.Indexers{"color": func(obj any) ([]string, error) {
					<-gate
					return colorOf(obj), nil
				}})
			}()
		}
		synctest.Wait()
		close(gate)
		first, second := <-errs, <-errs
		if (first == nil) == (second == nil) {
			t.Errorf("the errors are %v and %v", first, second)
		}
		if keys, err := store.IndexKeys("color", "red"); err != nil || !slices.Equal(keys, []string{"bay/a"}) {
			t.Errorf("red are %v (%v)", keys, err)
		}
	})
}
