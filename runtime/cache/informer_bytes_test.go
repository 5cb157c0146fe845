package cache_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// TestStateHasBytes has objects come, grow and go.
func TestStateHasBytes(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		const n, large = 300, 10_000
		for i := range n {
			source.Add(newShip(fmt.Sprintf("bay/%03d", i), "red"))
		}
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		if empty := cache.StateOf(informer); empty.Bytes > 1000 || empty.Largest != (cache.ObjectName{}) || empty.LargestBytes != 0 {
			t.Errorf("an empty store has %d bytes, %s is largest", empty.Bytes, empty.Largest)
		}
		defer run(t, informer)()
		synctest.Wait()
		small := cache.StateOf(informer)
		if small.Bytes < 200*n || small.Bytes > 2000*n {
			t.Errorf("%d ships have %d bytes", n, small.Bytes)
		}
		source.Modify(newShip("bay/007", strings.Repeat("r", large)))
		synctest.Wait()
		grown := cache.StateOf(informer)
		if more := grown.Bytes - small.Bytes; more < large || more > 2*large {
			t.Errorf("%d bytes more, want about %d", more, large)
		}
		if grown.Largest.String() != "bay/007" || grown.LargestBytes < large || grown.LargestBytes > 2*large {
			t.Errorf("largest is %s with %d bytes", grown.Largest, grown.LargestBytes)
		}
		source.Delete(newShip("bay/007", "red"))
		synctest.Wait()
		if less := cache.StateOf(informer); less.Bytes >= small.Bytes || less.Largest.String() == "bay/007" {
			t.Errorf("%d bytes without the largest, which is %s now; before it grew %d", less.Bytes, less.Largest, small.Bytes)
		}
	})
}

// TestStateBesideWrites asks for states while objects change.
func TestStateBesideWrites(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		defer run(t, informer)()
		var askers sync.WaitGroup
		for range 3 {
			askers.Go(func() {
				for range 100 {
					if state := cache.StateOf(informer); state.Bytes < 0 || state.Objects > 0 && state.LargestBytes <= 0 {
						t.Errorf("%d bytes, largest %d", state.Bytes, state.LargestBytes)
					}
				}
			})
		}
		for i := range 300 {
			source.Add(newShip(fmt.Sprint("bay/", i%50), "red"))
			source.Delete(newShip(fmt.Sprint("bay/", i%50), "red"))
		}
		askers.Wait()
	})
}
