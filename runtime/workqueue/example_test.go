package workqueue_test

import (
	"fmt"

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
