package workqueue_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	testingclock "k8s.io/utils/clock/testing"

	"github.com/listwatch/listwatch/runtime/workqueue"
)

// arrivals starts a worker that records when items arrive, until the queue shuts down.
func arrivals(q workqueue.TypedInterface[string]) *[]string {
	start := time.Now()
	var got []string
	go func() {
		for {
			item, shutdown := q.Get()
			if shutdown {
				return
			}
			got = append(got, fmt.Sprintf("%s after %v", item, time.Since(start)))
			q.Done(item)
		}
	}()
	return &got
}

func TestAddAfter(t *testing.T) {
	type queue = workqueue.TypedDelayingInterface[string]
	tests := []struct {
		name string
		do   func(q queue)
		want []string
	}{
		{"items come when their time has", func(q queue) {
			q.AddAfter("c", 3*time.Second)
			q.AddAfter("a", time.Second)
			q.AddAfter("b", 2*time.Second)
		}, []string{"a after 1s", "b after 2s", "c after 3s"}},
		{"immediately without a delay", func(q queue) {
			q.AddAfter("a", 0)
			synctest.Wait()
			q.AddAfter("b", -time.Second)
		}, []string{"a after 0s", "b after 0s"}},
		{"the earlier time counts if it is added later", func(q queue) {
			q.AddAfter("a", time.Minute)
			q.AddAfter("b", 30*time.Second)
			time.Sleep(time.Second)
			q.AddAfter("a", time.Second)
		}, []string{"a after 2s", "b after 30s"}},
		{"and if it is added first", func(q queue) {
			q.AddAfter("a", time.Second)
			q.AddAfter("a", time.Minute)
		}, []string{"a after 1s"}},
		{"an added item can wait again", func(q queue) {
			q.AddAfter("a", time.Second)
			time.Sleep(2 * time.Second)
			q.AddAfter("a", time.Second)
			time.Sleep(time.Minute)
			q.AddAfter("a", time.Second)
		}, []string{"a after 1s", "a after 3s", "a after 1m3s"}},
		{"an item that waits can be added meanwhile", func(q queue) {
			q.AddAfter("a", time.Second)
			q.Add("a")
		}, []string{"a after 0s", "a after 1s"}},
		{"waiting items are dropped when the queue shuts down", func(q queue) {
			q.AddAfter("a", time.Second)
			q.AddAfter("b", time.Hour)
			time.Sleep(time.Minute)
			q.ShutDown()
			q.AddAfter("c", time.Second)
			q.AddAfter("c", 0)
		}, []string{"a after 1s"}},
		{"the longest and the shortest of delays", func(q queue) {
			q.AddAfter("never", math.MaxInt64)
			q.AddAfter("b", time.Second)
			q.AddAfter("a", math.MinInt64)
			q.AddAfter("c", math.MaxInt64)
			q.AddAfter("c", time.Minute)
		}, []string{"a after 0s", "b after 1s", "c after 1m0s"}},
		{"also when it drains", func(q queue) {
			q.AddAfter("a", time.Hour)
			q.ShutDownWithDrain()
			q.AddAfter("b", time.Second)
		}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := workqueue.NewTypedDelayingQueue[string]()
				got := arrivals(q)
				test.do(q)
				time.Sleep(2 * time.Hour)
				q.ShutDown()
				synctest.Wait()
				if diff := cmp.Diff(test.want, *got); diff != "" {
					t.Errorf("arrivals (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A queue without waiting items has no goroutine, so that an abandoned queue does not leak one.
func TestIdleDelayingQueueHoldsNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := workqueue.NewTypedDelayingQueue[string]()
		q.AddAfter("a", time.Second)
		q.AddAfter("b", time.Minute)
		time.Sleep(time.Hour)
		if q.Len() != 2 {
			t.Errorf("%d items arrived, want 2", q.Len())
		}
	}) // deadlocks if a goroutine is left
}

// Many goroutines add many waiting items, some of them again with a shorter delay: all are
// delivered in the order of their times, each at the earliest of its times.
func TestManyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const producers, items = 4, 500
		q := workqueue.NewTypedDelayingQueue[int]()
		defer q.ShutDown()
		start := time.Now()
		var earliest [items]time.Duration
		var mu sync.Mutex // guards earliest
		var producing sync.WaitGroup
		for p := range producers {
			producing.Go(func() {
				random := rand.New(rand.NewPCG(7, uint64(p)))
				for i := range items {
					delay := time.Duration(1+random.IntN(10_000)) * time.Millisecond
					mu.Lock()
					if earliest[i] == 0 || delay < earliest[i] {
						earliest[i] = delay
					}
					mu.Unlock()
					q.AddAfter(i, delay)
				}
			})
		}
		producing.Wait()
		came := make([]time.Duration, items)
		for range items {
			i, _ := q.Get()
			came[i] = time.Since(start)
			q.Done(i)
		}
		if diff := cmp.Diff(earliest[:], came); diff != "" {
			t.Errorf("times (-want +got):\n%s", diff)
		}
		time.Sleep(time.Minute)
		if q.Len() > 0 {
			t.Errorf("%d items arrived again", q.Len())
		}
	})
}

func TestDelayingQueueGoesByItsClock(t *testing.T) {
	// Not in a bubble: this clock advances only on demand.
	clock := testingclock.NewFakeClock(time.Unix(1000, 0))
	q := workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{Clock: clock})
	defer q.ShutDown()
	q.AddAfter("c", time.Hour)
	q.AddAfter("b", 50*time.Millisecond)
	q.AddAfter("a", 40*time.Millisecond)
	for _, want := range []string{"a", "b"} {
		clock.Step(45 * time.Millisecond)
		got, _ := q.Get()
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		q.Done(got)
	}
	if q.Len() > 0 {
		t.Errorf("%d items arrived too early", q.Len())
	}
}

// other is a user's queue.
type other struct {
	workqueue.TypedInterface[string]
	mu    sync.Mutex // guards added
	added []string
}

func (q *other) Add(item string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.added = append(q.added, item)
	q.TypedInterface.Add(item)
}

func TestDelayingQueueAroundAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := &other{TypedInterface: workqueue.NewTyped[string]()}
		q := workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.NewTypedItemFastSlowRateLimiter[string](time.Second, time.Minute, 1),
			workqueue.TypedRateLimitingQueueConfig[string]{
				DelayingQueue: workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{Queue: inner}),
			})
		q.AddRateLimited("b")
		q.Add("a")
		time.Sleep(time.Hour)
		q.ShutDown()
		synctest.Wait()
		if !inner.ShuttingDown() {
			t.Error("the queue within is not shutting down")
		}
		if diff := cmp.Diff([]string{"a", "b"}, inner.added); diff != "" {
			t.Errorf("items added (-want +got):\n%s", diff)
		}
	})
}

func TestRateLimitingQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := workqueue.NewTypedRateLimitingQueue(
			workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Second, time.Minute))
		got := arrivals(q)
		for range 3 {
			q.AddRateLimited("a")
			q.AddRateLimited("b")
			time.Sleep(9 * time.Second)
			synctest.Wait()
			q.Forget("b")
		}
		if n := q.NumRequeues("a"); n != 3 {
			t.Errorf("a failed %d times, want 3", n)
		}
		if n := q.NumRequeues("b"); n != 0 {
			t.Errorf("b failed %d times after it was forgotten", n)
		}
		q.ShutDown()
		slices.Sort(*got) // a and b come at the same time at first
		if diff := cmp.Diff([]string{
			"a after 11s", "a after 1s", "a after 22s",
			"b after 10s", "b after 19s", "b after 1s",
		}, *got); diff != "" {
			t.Errorf("arrivals (-want +got):\n%s", diff)
		}
	})
}
