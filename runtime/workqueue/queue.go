package workqueue

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// unfinishedWorkPeriod is the interval at which the metrics of unfinished work are set.
const unfinishedWorkPeriod = 500 * time.Millisecond

// TypedInterface is a queue of items; [Typed] implements it and documents its methods.
type TypedInterface[T comparable] interface {
	Add(item T)
	Len() int
	Get() (item T, shutdown bool)
	Done(item T)
	ShutDown()
	ShutDownWithDrain()
	ShuttingDown() bool
}

// TypedQueueConfig configures [NewTypedWithConfig]. All fields are optional.
type TypedQueueConfig[T comparable] struct {
	// Name identifies the queue in metrics. A queue without a name has no metrics.
	Name string
	// MetricsProvider creates the metrics of the queue; nil means the provider set by [SetProvider].
	MetricsProvider MetricsProvider
	// Clock measures the times in metrics; nil means the real clock.
	Clock clock.WithTicker
	// Queue stores the queued items and determines their order; nil means the order in which they were added.
	Queue Queue[T]
}

// Typed is a queue of items for workers; the package comment lists its guarantees. It is created by [NewTyped]
// or [NewTypedWithConfig], and is safe for concurrent use.
type Typed[T comparable] struct {
	clock   clock.WithTicker
	metrics *queueMetrics // nil if there are none

	// mu guards the fields below. ready and idle are signalled when they change.
	mu sync.Mutex
	// items are all items that are dirty or being processed.
	items items[T]
	// line contains the items that are dirty and not being processed.
	line line[T]
	// ready wakes workers that wait for a queued item, or for shutdown.
	ready sync.Cond
	// waiting is the number of workers that wait for ready and were not woken yet: each queued item wakes one.
	waiting int
	// idle wakes callers of ShutDownWithDrain.
	idle sync.Cond
	// shuttingDown rejects new items; draining makes ShutDownWithDrain wait.
	shuttingDown, draining bool

	// stop ends the goroutine that sets the metrics of unfinished work, and stopped is closed when it has
	// ended. Without metrics there is no such goroutine, and stopped is nil.
	stop, stopped chan struct{}
}

// NewTyped returns an empty queue without a name.
func NewTyped[T comparable]() *Typed[T] {
	return NewTypedWithConfig(TypedQueueConfig[T]{})
}

// NewTypedWithConfig returns an empty queue. A queue with metrics must be shut down to release its goroutine.
func NewTypedWithConfig[T comparable](config TypedQueueConfig[T]) *Typed[T] {
	if config.Clock == nil {
		config.Clock = clock.RealClock{}
	}
	q := &Typed[T]{
		clock:   config.Clock,
		metrics: newQueueMetrics(config.MetricsProvider, config.Name, config.Clock),
		stop:    make(chan struct{}),
	}
	q.ready.L = &q.mu
	q.idle.L = &q.mu
	if config.Queue == nil {
		q.line = &slotLine[T]{}
	} else {
		q.line = &itemLine[T]{queue: config.Queue, items: &q.items}
	}
	if q.metrics != nil {
		q.stopped = make(chan struct{})
		go q.observeUnfinished()
	}
	return q
}

// Add marks an item as needing to be processed. An item that is already queued keeps its position, unless the
// [Queue] in the config decides otherwise. After shutdown, Add does nothing.
func (q *Typed[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuttingDown {
		return
	}
	q.add(q.items.place(item))
}

// add makes the item of a slot dirty. The caller holds the lock.
func (q *Typed[T]) add(slot slot) {
	it := q.items.at(slot)
	if it.dirty {
		if !it.processing {
			q.line.touch(it.item)
		}
		return
	}
	it.dirty = true
	if q.metrics != nil {
		it.added = q.metrics.add()
	}
	if it.processing {
		return
	}
	q.line.push(slot, it.item)
	q.wake()
}

// wake wakes a waiting worker, if any, for a queued item. The caller holds the lock.
func (q *Typed[T]) wake() {
	if q.waiting > 0 {
		q.waiting--
		q.ready.Signal()
	}
}

// Len returns the number of queued items. It may be outdated as soon as it is returned.
func (q *Typed[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.line.len()
}

// Get returns the next queued item, waiting for one if there is none. The caller must call Done when the item
// is processed. If shutdown is true, there is no item and there will be none.
func (q *Typed[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	first := q.next()
	if first == 0 {
		return item, true
	}
	return q.items.at(first).item, false
}

// next waits for a queued item and hands it out. It returns 0 if there is none and will be none. The caller
// holds the lock.
func (q *Typed[T]) next() slot {
	for q.line.len() == 0 {
		if q.shuttingDown {
			return 0
		}
		q.waiting++
		q.ready.Wait()
	}
	place := q.line.pop()
	it := q.items.at(place)
	it.dirty = false
	var started time.Duration
	if q.metrics != nil {
		started = q.metrics.get(it.added)
	}
	if !it.processing {
		q.items.begin(place, started)
	}
	return place
}

// Done marks an item as processed. If it was added again meanwhile, it is queued.
func (q *Typed[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	place, known := q.items.findProcessing(item)
	if !known {
		return
	}
	it := q.items.at(place)
	if !it.processing {
		return
	}
	if q.metrics != nil {
		q.metrics.done(it.started)
	}
	q.items.end(place)
	if it.dirty {
		q.line.push(place, item)
		q.wake()
	} else {
		q.items.remove(place)
	}
	if q.items.processing == 0 && q.draining {
		q.idle.Broadcast()
	}
}

// ShutDown rejects new items. Workers still get the queued items, and then shutdown. Calls of
// [Typed.ShutDownWithDrain] stop waiting.
func (q *Typed[T]) ShutDown() {
	q.shutDown(false)
}

// ShutDownWithDrain is ShutDown, and then waits until Done was called for each item that Get returned, unless
// ShutDown is called. Queued items are left to workers that continue to call Get.
func (q *Typed[T]) ShutDownWithDrain() {
	q.shutDown(true)
}

func (q *Typed[T]) shutDown(drain bool) {
	q.mu.Lock()
	if !q.shuttingDown {
		q.shuttingDown = true
		close(q.stop)
	}
	q.draining = drain
	q.ready.Broadcast()
	q.waiting = 0
	q.idle.Broadcast()
	for q.draining && q.items.processing > 0 {
		q.idle.Wait()
	}
	q.mu.Unlock()
	if q.stopped != nil {
		<-q.stopped
	}
}

// ShuttingDown reports whether the queue was shut down.
func (q *Typed[T]) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.shuttingDown
}

// observeUnfinished sets the metrics of unfinished work periodically until the queue shuts down.
func (q *Typed[T]) observeUnfinished() {
	defer close(q.stopped)
	ticker := q.clock.NewTicker(unfinishedWorkPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C():
			q.mu.Lock()
			if !q.shuttingDown {
				q.metrics.unfinished(q.items.unfinished())
			}
			q.mu.Unlock()
		case <-q.stop:
			return
		}
	}
}
