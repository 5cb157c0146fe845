package sites

import (
	"context"
	"log/slog"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

// itemTimeout is the time for one site: a server that does not respond must not occupy a worker for good.
const itemTimeout = time.Minute

// Work reconciles queued sites. When stop is closed, it completes the sites in progress, and returns; the queued
// ones are left to the next leader, whose informers queue all sites. When ctx ends, it cancels them too: another
// replica may have started to write.
func (c *Controller) Work(ctx context.Context, workers int, stop <-chan struct{}) {
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for c.next(ctx, stop) {
			}
		})
	}
	select {
	case <-stop:
	case <-ctx.Done():
	}
	c.queue.ShutDown() // wakes up idle workers
	group.Wait()
}

// next reconciles the next site. It returns false when the worker should end.
func (c *Controller) next(ctx context.Context, stop <-chan struct{}) bool {
	name, priority, shutdown := c.queue.GetWithPriority()
	if shutdown {
		return false
	}
	defer c.queue.Done(name) // until then, no other worker gets this site
	select {
	case <-stop: // a queue that is shut down still hands out what is in it
		return false
	case <-ctx.Done():
		return false
	default:
	}

	ctx, cancel := context.WithTimeout(ctx, itemTimeout)
	defer cancel()
	if err := c.do(ctx, name); err != nil {
		level := slog.LevelWarn
		if apierrors.IsConflict(err) {
			level = slog.LevelDebug // normal: the cache was behind, and has caught up when the site is next
		}
		c.log.Log(ctx, level, "Reconcile failed, retrying", "site", name.String(), "error", err)
		c.queue.AddWithOpts(workqueue.AddOpts{RateLimited: true, Priority: &priority}, name)
		return true
	}
	c.queue.Forget(name) // its next failure is the first again
	return true
}

// do reconciles a site, unless it is another replica's. The sites of a namespace, and what they own, are one replica's, so that the
// name of the site is enough to know whose it is.
func (c *Controller) do(ctx context.Context, name cache.ObjectName) error {
	if c.ring == nil {
		return c.reconcile(ctx, name)
	}
	return c.ring.Do(ctx, name.Namespace, func(ctx context.Context) error { return c.reconcile(ctx, name) })
}
