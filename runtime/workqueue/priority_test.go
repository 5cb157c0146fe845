package workqueue_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/runtime/workqueue"
)

func newPriorityQueue() workqueue.TypedPriorityInterface[string] {
	return workqueue.NewTypedPriorityQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Second, time.Minute))
}

// addWith adds items with a priority.
func addWith[T comparable](q workqueue.TypedPriorityInterface[T], priority int, items ...T) {
	q.AddWithOpts(workqueue.AddOpts{Priority: &priority}, items...)
}

func TestPriorities(t *testing.T) {
	type queue = workqueue.TypedPriorityInterface[string]
	const low = -100
	tests := []struct {
		name string
		do   func(t *testing.T, q queue)
		want []string // what is left, with priorities
	}{
		{"the highest comes first, and the first of a priority", func(_ *testing.T, q queue) {
			addWith(q, low, "c", "d")
			q.Add("b")
			addWith(q, 7, "z", "a")
			q.Add("e")
		}, []string{"z 7", "a 7", "b 0", "e 0", "c -100", "d -100"}},
		{"a queued item gets the higher priority and is its last", func(_ *testing.T, q queue) {
			addWith(q, low, "a", "b")
			q.Add("c")
			q.Add("b")
		}, []string{"c 0", "b 0", "a -100"}},
		{"and keeps its own if that is higher", func(_ *testing.T, q queue) {
			q.Add("a")
			q.Add("b")
			addWith(q, low, "a")
		}, []string{"a 0", "b 0"}},
		{"an item that is processed comes again with the highest it was added with", func(t *testing.T, q queue) {
			addWith(q, 9, "a")
			get(t, q)
			addWith(q, low, "a", "b")
			addWith(q, 1, "a")
			q.Add("a")
			q.Add("c")
			q.Done("a")
		}, []string{"a 1", "c 0", "b -100"}},
		{"a priority is not remembered", func(t *testing.T, q queue) {
			addWith(q, 9, "a")
			q.Done(get(t, q))
			addWith(q, low, "a")
		}, []string{"a -100"}},
		{"nothing is added to a queue that is shutting down", func(_ *testing.T, q queue) {
			q.Add("a")
			q.ShutDown()
			q.Add("b")
			addWith(q, 1, "a", "c")
			q.AddAfter("d", time.Second)
			q.AddRateLimited("d")
			if n := q.NumRequeues("d"); n != 0 {
				t.Errorf("%d requeues", n)
			}
		}, []string{"a 0"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			q := newPriorityQueue()
			test.do(t, q)
			q.ShutDown()
			var got []string
			for {
				item, priority, shutdown := q.GetWithPriority()
				if shutdown {
					break
				}
				got = append(got, fmt.Sprint(item, " ", priority))
				q.Done(item)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestPriorityDelays(t *testing.T) {
	type queue = workqueue.TypedPriorityInterface[string]
	tests := []struct {
		name string
		do   func(q queue)
		want []string
	}{
		{"items come when their time has", func(q queue) {
			q.AddAfter("b", 2*time.Second)
			q.AddAfter("a", time.Second)
			q.AddAfter("c", 0)
		}, []string{"c after 0s", "a after 1s", "b after 2s"}},
		{"the earlier time counts", func(q queue) {
			q.AddAfter("a", time.Minute)
			q.AddAfter("a", time.Second)
			q.AddAfter("a", time.Hour)
		}, []string{"a after 1s"}},
		{"an item that is added at once does not wait any more", func(q queue) {
			q.AddAfter("a", time.Second)
			q.Add("a")
		}, []string{"a after 0s"}},
		{"failures delay an item", func(q queue) {
			q.AddRateLimited("a")
			time.Sleep(10 * time.Second)
			q.AddRateLimited("a")
			time.Sleep(10 * time.Second)
			q.Forget("a")
			q.AddRateLimited("a")
		}, []string{"a after 1s", "a after 12s", "a after 21s"}},
		{"the shorter of two delays counts", func(q queue) {
			q.AddWithOpts(workqueue.AddOpts{RateLimited: true, After: time.Minute}, "a")
			q.AddWithOpts(workqueue.AddOpts{RateLimited: true, After: time.Millisecond}, "b")
		}, []string{"b after 1ms", "a after 1s"}},
		{"what waits when the queue shuts down is dropped", func(q queue) {
			q.AddAfter("a", time.Second)
			q.AddAfter("b", time.Hour)
			time.Sleep(time.Minute)
			q.ShutDown()
		}, []string{"a after 1s"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := newPriorityQueue()
				got := arrivals(q)
				test.do(q)
				time.Sleep(2 * time.Hour)
				q.ShutDownWithDrain()
				synctest.Wait()
				if diff := cmp.Diff(test.want, *got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

// TestPriorityQueueStarvesNothing lets changes arrive faster than they are processed.
func TestPriorityQueueStarvesNothing(t *testing.T) {
	q := workqueue.NewTypedPriorityQueue(workqueue.DefaultTypedItemBasedRateLimiter[int]())
	const first = 100 // negative items are the first list
	for i := range first {
		addWith(q, -100, -1-i)
	}
	var listed []int // the turns of the first list's items, in their order
	changes := 0
	for turn := 1; len(listed) < first; turn++ {
		changes += 2
		q.Add(changes)
		q.Add(changes + 1)
		item := get(t, q)
		q.Done(item)
		if item >= 0 {
			continue
		}
		if want := -1 - len(listed); item != want {
			t.Fatalf("turn %d: got %d, want %d", turn, item, want)
		}
		listed = append(listed, turn)
	}
	for i, turn := range listed {
		if want := 16 * (i + 1); turn != want {
			t.Errorf("item %d of the first list came at turn %d, want %d", i, turn, want)
		}
	}
}

func TestManyPriorities(t *testing.T) {
	q := workqueue.NewTypedPriorityQueue(workqueue.DefaultTypedItemBasedRateLimiter[int]())
	for range 2 {
		for i := range 5_000 {
			addWith(q, i*7919%5_000, i)
		}
		seen := map[int]bool{}
		for range 5_000 {
			item, priority, _ := q.GetWithPriority()
			if priority != item*7919%5_000 || seen[item] {
				t.Fatalf("item %d with priority %d", item, priority)
			}
			seen[item] = true
			q.Done(item)
		}
		for range 25_000 { // so that the memory of the many is freed
			addWith(q, 3, 1)
			q.Done(get(t, q))
		}
	}
}

func TestPriorityQueueOfManyUsers(t *testing.T) {
	q := workqueue.NewTypedPriorityQueueWithConfig(workqueue.DefaultTypedItemBasedRateLimiter[int](),
		workqueue.TypedPriorityQueueConfig[int]{Name: "q", MetricsProvider: &recorder{}})
	const items, adders, workers = 50, 4, 4
	var working, adding sync.WaitGroup
	var mu sync.Mutex // guards processing and processed
	processing := map[int]bool{}
	processed := map[int]int{}
	for range workers {
		working.Go(func() {
			for {
				item, _, shutdown := q.GetWithPriority()
				if shutdown {
					return
				}
				mu.Lock()
				if processing[item] {
					t.Errorf("item %d is processed twice at a time", item)
				}
				processing[item] = true
				mu.Unlock()
				mu.Lock()
				delete(processing, item)
				processed[item]++
				again := processed[item] == 1
				mu.Unlock()
				if again {
					q.AddRateLimited(item)
				} else {
					q.Forget(item)
				}
				q.Done(item)
			}
		})
	}
	for adder := range adders {
		adding.Go(func() {
			for i := range 1_000 {
				addWith(q, (i+adder)%5, i%items)
				q.AddAfter(i%items, time.Duration(i%3)*time.Microsecond)
			}
		})
	}
	adding.Wait()
	for {
		mu.Lock()
		done := len(processed) == items && !slices.ContainsFunc(seq(items), func(i int) bool { return processed[i] < 2 })
		mu.Unlock()
		if done {
			break
		}
		time.Sleep(time.Millisecond)
	}
	q.ShutDownWithDrain()
	working.Wait()
}

func seq(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func TestPriorityMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		q := workqueue.NewTypedPriorityQueueWithConfig(
			workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Second, time.Minute),
			workqueue.TypedPriorityQueueConfig[string]{Name: "boats", MetricsProvider: r})
		defer q.ShutDown()
		check := func(step string, depth, adds, retries float64) {
			t.Helper()
			synctest.Wait()
			if r.value("depth") != depth || r.value("adds") != adds || r.value("retries") != retries {
				t.Errorf("%s: depth %v, adds %v, retries %v, want %v, %v, %v", step,
					r.value("depth"), r.value("adds"), r.value("retries"), depth, adds, retries)
			}
		}
		addWith(q, -1, "a")
		q.Add("a")
		q.Add("b")
		check("added", 2, 2, 0)
		q.AddAfter("c", time.Second)
		q.AddRateLimited("d")
		check("delayed", 2, 2, 2)
		time.Sleep(time.Second)
		check("after the delay", 4, 4, 2)
		for q.Len() > 0 {
			q.Done(get(t, q))
		}
		check("done", 0, 4, 2)
	})
}
