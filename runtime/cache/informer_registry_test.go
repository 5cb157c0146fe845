package cache_test

import (
	"runtime"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// positions returns the positions of informers among all, -1 for those that are not.
func positions(informers ...cache.SharedIndexInformer) []int {
	all := cache.All()
	var at []int
	for _, informer := range informers {
		at = append(at, slices.Index(all, informer))
	}
	return at
}

func TestAllKnowsInformersUntilTheyStop(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		first := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		second := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		if at := positions(first, second); at[0] < 0 || at[1] < at[0] {
			t.Errorf("before the start they are at %v", at)
		}
		stop := run(t, first)
		synctest.Wait()
		if at := positions(first, second); at[0] < 0 || at[1] < at[0] {
			t.Errorf("while one runs they are at %v", at)
		}
		stop()
		if at := positions(first, second); at[0] >= 0 || at[1] < 0 {
			t.Errorf("after one has stopped they are at %v", at)
		}
	})
}

func TestAllForgetsWhatIsCollected(t *testing.T) {
	const description = "abandoned boats"
	cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{ObjectDescription: description})
	kept := cache.NewSharedIndexInformer(nil, &ship{}, 0, nil)
	gone := func() bool {
		return !slices.ContainsFunc(cache.All(), func(informer cache.SharedIndexInformer) bool {
			return cache.StateOf(informer).Type == description
		})
	}
	for n := 0; !gone(); n++ {
		if n == 100 {
			t.Fatal("an unreferenced informer is still listed")
		}
		runtime.GC()
	}
	if at := positions(kept); at[0] < 0 {
		t.Error("a referenced informer is not listed")
	}
	runtime.KeepAlive(kept)
}
