package cache_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

func TestEnqueue(t *testing.T) {
	lost := &cache.DeletedFinalStateUnknown{Key: "bay/c"}
	var keys, colors []string
	for _, handler := range []cache.TypedResourceEventHandler[*ship]{
		cache.EnqueueKeys[*ship](func(name cache.ObjectName) { keys = append(keys, name.String()) }),
		cache.EnqueueFor(func(name cache.ObjectName, s *ship) {
			if s == nil {
				colors = append(colors, name.String()+" unknown")
				return
			}
			colors = append(colors, name.String()+" "+s.Labels["color"])
		}),
	} {
		handler.OnAdd(newShip("bay/a", "red"), true)
		handler.OnUpdate(newShip("bay/a", "red"), newShip("bay/a", "blue"))
		handler.OnDelete(cache.DeletedObject[*ship]{OptionalObj: newShip("bay/b", "green")})
		handler.OnDelete(cache.DeletedObject[*ship]{FinalStateUnknown: lost})
	}
	if want := []string{"bay/a", "bay/a", "bay/b", "bay/c"}; !slices.Equal(keys, want) {
		t.Errorf("EnqueueKeys added %v, want %v", keys, want)
	}
	if want := []string{"bay/a red", "bay/a blue", "bay/b green", "bay/c unknown"}; !slices.Equal(colors, want) {
		t.Errorf("EnqueueFor added %v, want %v", colors, want)
	}
}

func TestEnqueueWithPriority(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		queue := workqueue.NewTypedPriorityQueue(workqueue.DefaultTypedItemBasedRateLimiter[cache.ObjectName]())
		defer queue.ShutDown()
		expect := func(step string, want ...string) {
			t.Helper()
			synctest.Wait()
			var got []string
			for queue.Len() > 0 {
				name, priority, _ := queue.GetWithPriority()
				got = append(got, fmt.Sprint(name, " ", priority))
				queue.Done(name)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", step, got, want)
			}
		}
		informer := cache.NewTypedSharedIndexInformer[*ship](cache.NewSharedIndexInformer(source, &ship{}, time.Minute, nil))
		if _, err := informer.AddTypedEventHandler(cache.EnqueueWithPriority(func(name cache.ObjectName, _ *ship, priority int) {
			queue.AddWithOpts(workqueue.AddOpts{Priority: &priority}, name)
		})); err != nil {
			t.Fatal(err)
		}
		defer run(t, informer)()
		expect("first list", "bay/a -100")
		source.Add(newShip("bay/b", "red"))
		expect("added", "bay/b 0")
		time.Sleep(61 * time.Second)
		expect("resync", "bay/a -100", "bay/b -100")
		time.Sleep(time.Minute)
		source.Modify(newShip("bay/b", "blue"))
		expect("change after a resync", "bay/b 0", "bay/a -100")
		source.Delete(newShip("bay/a", "red"))
		expect("deleted", "bay/a 0")
	})
}
