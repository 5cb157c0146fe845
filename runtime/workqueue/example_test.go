package workqueue_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/listwatch/listwatch/runtime/workqueue"
)

// A worker processes objects one by one until the queue is shut down. Objects that fail are retried
// later; objects that succeed, or are given up, are forgotten.
func Example() {
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	tries := 0
	reconcile := func(key string) error {
		tries++
		if tries == 1 {
			return fmt.Errorf("%s has no captain yet", key)
		}
		queue.ShutDown()
		return nil
	}

	queue.Add("default/boat")
	for {
		key, shutdown := queue.Get()
		if shutdown {
			break
		}
		if err := reconcile(key); err != nil {
			fmt.Println(err)
			queue.AddRateLimited(key)
		} else {
			fmt.Printf("%s: done after %d failure\n", key, queue.NumRequeues(key))
			queue.Forget(key)
		}
		queue.Done(key)
	}
	// Output:
	// default/boat has no captain yet
	// default/boat: done after 1 failure
}

// An item is queued once, however often it is added. While a worker has it, no other gets it: if it is added
// meanwhile, it is queued again after Done.
func ExampleNewTyped() {
	queue := workqueue.NewTyped[string]()
	queue.Add("default/boat")
	queue.Add("default/boat")
	fmt.Println("queued:", queue.Len())

	key, _ := queue.Get()
	queue.Add("default/boat")
	fmt.Println("queued while in work:", queue.Len())
	queue.Done(key)
	fmt.Println("queued after that:", queue.Len())
	queue.ShutDown()
	// Output:
	// queued: 1
	// queued while in work: 0
	// queued after that: 1
}

// Several workers share a queue. ShutDownWithDrain returns when they have processed what they had got.
func ExampleTyped_ShutDownWithDrain() {
	queue := workqueue.NewTyped[int]()
	for i := range 100 {
		queue.Add(i)
	}

	var done atomic.Int32
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for {
				item, shutdown := queue.Get()
				if shutdown {
					return
				}
				done.Add(1)
				queue.Done(item)
			}
		})
	}
	queue.ShutDownWithDrain()
	workers.Wait()
	fmt.Println("done:", done.Load())
	// Output: done: 100
}

// Items of a higher priority come first, so that changes need not wait for what was there at the start.
func ExampleNewTypedPriorityQueue() {
	queue := workqueue.NewTypedPriorityQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	defer queue.ShutDown()
	low := -100
	queue.AddWithOpts(workqueue.AddOpts{Priority: &low}, "default/old-boat")
	queue.Add("default/new-boat") // with priority 0

	for queue.Len() > 0 {
		key, priority, _ := queue.GetWithPriority()
		fmt.Println(key, priority)
		queue.Done(key)
	}
	// Output:
	// default/new-boat 0
	// default/old-boat -100
}

// The delay of an item doubles with each failure, until it is forgotten.
func ExampleNewTypedItemExponentialFailureRateLimiter() {
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Second, time.Minute)
	for range 3 {
		fmt.Println(limiter.When("default/boat"))
	}
	limiter.Forget("default/boat")
	fmt.Println(limiter.When("default/boat"))
	// Output:
	// 1s
	// 2s
	// 4s
	// 1s
}

func ExampleParallelizeUntil() {
	boats := []string{"dinghy", "punt", "raft"}
	lengths := make([]int, len(boats))
	workqueue.ParallelizeUntil(context.Background(), 2, len(boats), func(i int) {
		lengths[i] = len(boats[i])
	})
	fmt.Println(lengths)
	// Output: [6 4 4]
}
