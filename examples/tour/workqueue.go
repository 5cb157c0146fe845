package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

// work hands the keys of objects to a worker that fails once. It needs no server.
func work(_ context.Context, _ *rest.Config, out io.Writer) error {
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](time.Millisecond, time.Second)
	queue := workqueue.NewTypedPriorityQueue(limiter)
	defer queue.ShutDown()
	low := -1
	queue.AddWithOpts(workqueue.AddOpts{Priority: &low}, cache.NewObjectName("tour", "old"))
	for range 3 { // three changes of one object are one item
		queue.Add(cache.NewObjectName("tour", "new"))
	}
	fmt.Fprintln(out, queue.Len(), "items")

	broken := errors.New("the server is away")
	for range 3 {
		name, priority, _ := queue.GetWithPriority()
		fmt.Fprint(out, name, " with priority ", priority)
		if err := broken; name.Name == "old" && err != nil {
			broken = nil
			fmt.Fprintln(out, ":", err)
			queue.AddWithOpts(workqueue.AddOpts{RateLimited: true, Priority: &priority}, name)
		} else {
			fmt.Fprintln(out, ": done after", queue.NumRequeues(name), "failures")
			queue.Forget(name) // its next failure is the first again
		}
		queue.Done(name) // from now on, a worker can get it again
	}
	return nil
}
