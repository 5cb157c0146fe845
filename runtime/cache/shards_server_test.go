package cache_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/cache"
)

// TestShardsOfServer runs an informer of a server that does not know shards. It sends the objects of others, too, which
// cannot be decoded, and are not.
func TestShardsOfServer(t *testing.T) {
	for _, watchList := range []bool{true, false} {
		t.Run(fmt.Sprintf("watch list %v", watchList), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, r := newBargeServer(t), newRing()
				if !watchList {
					s.fail(status(422, "Invalid", "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"), "watch list")
				}
				slotOf := func(name string) int { return r.slot(&metav1.ObjectMeta{UID: types.UID("uid-" + name)}) }
				lengthOf := func(name string) string {
					if slotOf(name) > 3 {
						return `"long"`
					}
					return "1"
				}
				var names []string
				for i := range 30 {
					names = append(names, fmt.Sprintf("b%02d", i))
				}
				for _, name := range names[:20] {
					s.add(name, lengthOf(name))
				}
				informer := cache.NewSharedIndexInformerWithOptions(s.listerWatcher(t), &barge{}, cache.SharedIndexInformerOptions{Shards: r})
				ctx, cancel := context.WithCancel(t.Context())
				stopped := make(chan struct{})
				go func() {
					defer close(stopped)
					informer.RunWithContext(ctx)
				}()
				check := func(names []string, slots ...int) {
					t.Helper()
					time.Sleep(time.Minute)
					synctest.Wait()
					var want []string
					for _, name := range names {
						if slices.Contains(slots, slotOf(name)) {
							want = append(want, "n/"+name)
						}
					}
					if got := slices.Sorted(slices.Values(informer.GetStore().ListKeys())); !slices.Equal(got, want) {
						t.Errorf("slots %v: got %v, want %v", slots, got, want)
					}
					state := cache.StateOf(informer)
					if state.Phase != cache.PhaseLive || state.Err != nil {
						t.Errorf("slots %v: %s, %v", slots, state.Phase, state.Err)
					}
					if version := s.version(); state.ResourceVersion != version {
						t.Errorf("slots %v: at %s, want %s", slots, state.ResourceVersion, version)
					}
				}
				r.set([]int{0, 1}, nil)
				check(names[:20], 0, 1)
				for _, name := range names[20:] {
					s.add(name, lengthOf(name))
				}
				check(names, 0, 1)
				r.set([]int{1, 2, 3}, nil)
				check(names, 1, 2, 3)
				s.remove(names[0])
				s.remove(names[1])
				check(names[2:], 1, 2, 3)
				cancel()
				<-stopped
			})
		})
	}
}

// version returns the server's resource version.
func (s *bargeServer) version() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprint(s.rv)
}
