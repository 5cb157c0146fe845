package cache_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// TestTransformsOfSeveralSources lists several namespaces concurrently: the transform is called for
// one object at a time, so that it needs no lock.
func TestTransformsOfSeveralSources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const namespaces, objects = 4, 200
		var sources []cache.Source
		for i := range namespaces {
			source := cachetesting.NewFakeControllerSource()
			defer source.Shutdown()
			namespace := fmt.Sprintf("bay-%d", i)
			for k := range objects {
				source.Add(newShip(fmt.Sprintf("%s/%d", namespace, k), "red"))
			}
			sources = append(sources, cache.Source{Namespace: namespace, ListerWatcher: source})
		}
		informer := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{Sources: sources})
		var inside, together atomic.Int32
		seen := map[string]bool{} // not guarded
		if err := informer.SetTransform(func(obj any) (any, error) {
			if inside.Add(1) > 1 {
				together.Add(1)
			}
			for range 10 {
				runtime.Gosched()
			}
			seen[cache.MetaObjectToName(obj.(*ship)).String()] = true
			inside.Add(-1)
			return obj, nil
		}); err != nil {
			t.Fatal(err)
		}
		defer synctest.Wait() // a watch that has no waiter may just begin
		defer run(t, informer)()
		if err := cache.WaitForSync(t.Context(), informer); err != nil {
			t.Fatal(err)
		}
		if n := together.Load(); n > 0 || len(seen) != namespaces*objects {
			t.Errorf("%d calls overlapped, %d objects seen", n, len(seen))
		}
	})
}

// refuse is a transform that rejects an object.
func refuse(obj any) (any, error) {
	if obj.(*ship).Name == "wreck" {
		return nil, errors.New("torn")
	}
	return obj, nil
}

func TestTransformErrorNamesFunctionAndObject(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/wreck", "red"))
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		if err := informer.SetTransform(refuse); err != nil {
			t.Fatal(err)
		}
		defer run(t, informer)()
		synctest.Wait()
		const want = "transform *v1.PartialObjectMetadata bay/wreck with github.com/listwatch/listwatch/runtime/cache_test.refuse: torn"
		if err := cache.StateOf(informer).Err; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	})
	store := cache.NewStore(cache.MetaNamespaceKeyFunc, cache.WithTransformer(func(any) (any, error) { return nil, nil }))
	if err := store.Add(newShip("bay/a", "red")); err == nil || !strings.Contains(err.Error(), "bay/a") || !strings.Contains(err.Error(), "returned nil") {
		t.Errorf("a store takes nil: %v", err)
	}
}
