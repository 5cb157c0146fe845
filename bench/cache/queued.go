package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/listwatch/listwatch/bench/internal/contest"
)

// queued is the number of different items.
const queued = 1_000

func items() []string {
	all := make([]string, queued)
	for i := range all {
		all[i] = fmt.Sprintf("namespace/worker-%06d", i)
	}
	return all
}

// onQueue returns a start with workers that take items from a queue, and are busy with each of them for some
// time. Only finished items are added again, so none is dropped as a duplicate.
func onQueue(workers int, busy time.Duration) func(int, contest.Env) (contest.Run, error) {
	return func(c int, _ contest.Env) (contest.Run, error) {
		all := items()
		return func(n int, _ *contest.Observer) (any, error) {
			q := contenders[c].queue()
			free := make(chan string, queued)
			for _, item := range all {
				free <- item
			}
			var running sync.WaitGroup
			for range workers {
				running.Go(func() {
					for {
						item, shutdown := q.Get()
						if shutdown {
							return
						}
						work(busy)
						q.Done(item)
						free <- item
					}
				})
			}
			for range n {
				q.Add(<-free)
			}
			for range all {
				<-free // until all are done
			}
			q.ShutDown()
			running.Wait()
			return q, nil
		}, nil
	}
}

// work keeps a CPU busy.
func work(d time.Duration) {
	if d > 0 {
		for start := time.Now(); time.Since(start) < d; {
		}
	}
}

// limitedQueue adds items with a limited rate, one after the other.
func limitedQueue(c int, _ contest.Env) (contest.Run, error) {
	all := items()
	return func(n int, _ *contest.Observer) (any, error) {
		q := contenders[c].queue()
		defer q.ShutDown()
		for i := range n {
			q.AddRateLimited(all[i%queued])
			item, _ := q.Get()
			q.Forget(item)
			q.Done(item)
		}
		return nil, nil
	}, nil
}
