package cache

import (
	"context"
	"errors"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
)

// Controller fills a store or a queue from a server and processes its items.
type Controller interface {
	// RunWithContext lists, watches and processes until ctx is done. It may be called
	// once.
	RunWithContext(ctx context.Context)
	// Run is RunWithContext until stopCh is closed.
	Run(stopCh <-chan struct{})
	// HasSynced reports whether all objects of the first list were processed.
	HasSynced() bool
	// HasSyncedChecker returns a checker that is done when HasSynced becomes true.
	HasSyncedChecker() DoneChecker
	// LastSyncResourceVersion returns the last resource version that was received, empty if
	// there is none.
	LastSyncResourceVersion() string
}

// ShouldResyncFunc reports whether to resync now.
type ShouldResyncFunc func() bool

// ProcessFunc processes an item of a queue.
type ProcessFunc func(obj any, isInInitialList bool) error

// Config configures a controller of [New].
type Config struct {
	// Queue receives the objects. It is closed when the controller stops.
	Queue

	// ListerWatcher lists and watches the objects.
	ListerWatcher

	// Process is called with the items of the queue, such as [Deltas] of a [DeltaFIFO].
	Process ProcessFunc

	// ProcessBatch is called with several deltas at once, if it is not nil and the queue is a
	// [QueueWithBatch].
	ProcessBatch ProcessBatchFunc

	// ObjectType is an example of the objects; nil allows any type.
	ObjectType runtime.Object

	// ObjectDescription describes the objects in logs.
	ObjectDescription string

	// FullResyncPeriod is how often the queue is resynced; 0 disables resync.
	FullResyncPeriod time.Duration

	// MinWatchTimeout is the shortest timeout of a watch request; anything below 5 minutes
	// means 5 minutes.
	MinWatchTimeout time.Duration

	// ShouldResync reports each time whether to resync the queue; nil means always.
	ShouldResync ShouldResyncFunc

	// WatchErrorHandler is called when a list or a watch fails.
	WatchErrorHandler WatchErrorHandler

	// WatchErrorHandlerWithContext is called instead if WatchErrorHandler is nil.
	WatchErrorHandlerWithContext WatchErrorHandlerWithContext

	// WatchListPageSize is the number of objects requested in one list request; see
	// [Reflector].
	WatchListPageSize int64
}

// New returns a controller of the caller's queue. It copies c.
func New(c *Config) Controller { return &controller{config: *c} }

type controller struct {
	config Config

	mu        sync.Mutex // guards reflector
	reflector *Reflector // nil until it runs
}

// Run implements [Controller].
func (c *controller) Run(stopCh <-chan struct{}) { c.RunWithContext(wait.ContextForChannel(stopCh)) }

// RunWithContext implements [Controller].
func (c *controller) RunWithContext(ctx context.Context) {
	closed := make(chan struct{})
	context.AfterFunc(ctx, func() {
		defer close(closed)
		c.config.Close()
	})

	r := c.newReflector(klog.FromContext(ctx))
	c.mu.Lock()
	c.reflector = r
	c.mu.Unlock()

	var listing sync.WaitGroup
	listing.Go(func() { r.RunWithContext(ctx) })
	c.process(ctx)
	// Not deferred: a panic of processing must not wait for the context's end.
	listing.Wait()
	<-closed
}

func (c *controller) newReflector(logger klog.Logger) *Reflector {
	r := NewReflectorWithOptions(c.config.ListerWatcher, c.config.ObjectType, c.config.Queue, ReflectorOptions{
		Logger:          &logger,
		ResyncPeriod:    c.config.FullResyncPeriod,
		MinWatchTimeout: c.config.MinWatchTimeout,
		TypeDescription: c.config.ObjectDescription,
	})
	r.ShouldResync = c.config.ShouldResync
	r.WatchListPageSize = c.config.WatchListPageSize
	if handle := c.config.WatchErrorHandler; handle != nil {
		r.watchErrorHandler = func(_ context.Context, r *Reflector, err error) { handle(r, err) }
	} else if handle := c.config.WatchErrorHandlerWithContext; handle != nil {
		r.watchErrorHandler = handle
	}
	return r
}

// process pops until ctx is done or the queue is closed. Errors of the process functions are
// ignored: they are for other callers of the queue. With crashes off, processing continues a second
// after a panic.
func (c *controller) process(ctx context.Context) {
	pop := func() error {
		_, err := c.config.Pop(PopProcessFunc(c.config.Process))
		return err
	}
	if batches, ok := c.config.Queue.(QueueWithBatch); ok && c.config.ProcessBatch != nil {
		pop = func() error {
			return batches.PopBatch(c.config.ProcessBatch, PopProcessFunc(c.config.Process))
		}
	}
	for !popUntilPanic(ctx, pop) {
		select {
		case <-ctx.Done():
		case <-time.After(crashPause):
		}
	}
}

// popUntilPanic calls pop until ctx is done or the queue is closed. It returns false if
// pop panics and that does not crash the process.
func popUntilPanic(ctx context.Context, pop func() error) (ended bool) {
	defer utilruntime.HandleCrashWithContext(ctx)
	for ctx.Err() == nil {
		if err := pop(); errors.Is(err, ErrFIFOClosed) {
			break
		}
	}
	return true
}

// HasSynced implements [Controller].
func (c *controller) HasSynced() bool { return c.config.HasSynced() }

// HasSyncedChecker implements [Controller].
func (c *controller) HasSyncedChecker() DoneChecker { return c.config.HasSyncedChecker() }

// LastSyncResourceVersion implements [Controller].
func (c *controller) LastSyncResourceVersion() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reflector == nil {
		return ""
	}
	return c.reflector.LastSyncResourceVersion()
}
