package workqueue

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// unfinishedWorkPeriod is how often the metrics of unfinished work are set.
const unfinishedWorkPeriod = 500 * time.Millisecond

// TypedInterface is a queue of items; see [Typed], which implements it, for what its methods do.
type TypedInterface[T comparable] interface {
	Add(item T)
	Len() int
	Get() (item T, shutdown bool)
	Done(item T)
	ShutDown()
	ShutDownWithDrain()
	ShuttingDown() bool
}

// TypedQueueConfig is what [NewTypedWithConfig] can be told. Every field is optional.
type TypedQueueConfig[T comparable] struct {
	// Name identifies the queue in metrics. A queue without a name has none.
	Name string
	// MetricsProvider makes the metrics of the queue. If nil, the one of [SetProvider] does.
	MetricsProvider MetricsProvider
	// Clock is the time that metrics go by, the real one if nil.
	Clock clock.WithTicker
	// Queue holds the items that are in line and so decides which is next. If nil,
	// they come out in the order in which they went in.
	Queue Queue[T]
}

// Typed is a queue of items for workers; see the package comment for its promises. It is made by [NewTyped]
// or [NewTypedWithConfig], and may be used by many goroutines at once.
type Typed[T comparable] struct {
	clock   clock.WithTicker
	metrics *queueMetrics // nil if there are none

	// mu guards all that follows. ready and idle are told of changes to it.
	mu sync.Mutex
	// items are all that are dirty or being processed.
	items items[T]
	// line are those that are dirty and not being processed.
	line line[T]
	// ready wakes the workers who wait for an item in line, or for the queue to shut down.
	ready sync.Cond
	// waiting is how many wait for ready and were not woken yet: for each item that is put in line, one is.
	waiting int
	// idle wakes those who drain.
	idle sync.Cond
	// shuttingDown refuses new items; draining has ShutDownWithDrain wait.
	shuttingDown, draining bool

	// stop ends the goroutine that sets the metrics of unfinished work, and stopped is closed when it has
	// ended. Without metrics, there is no such goroutine, and stopped is nil.
	stop, stopped chan struct{}
}

// NewTyped returns an empty queue without a name.
func NewTyped[T comparable]() *Typed[T] {
	return NewTypedWithConfig(TypedQueueConfig[T]{})
}

// NewTypedWithConfig returns an empty queue. One with metrics has to be shut down in the end, to free
// what sets them.
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

// Add says that an item needs to be processed. An item that is in line already stays where it is, unless a
// [Queue] that was given to the queue decides otherwise. Once the queue is shutting down, Add does nothing.
func (q *Typed[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuttingDown {
		return
	}
	slot, known := q.items.find(item)
	if !known {
		slot = q.items.insert(item)
	}
	it := q.items.at(slot)
	if it.dirty {
		if !it.processing {
			q.line.touch(item)
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
	q.line.push(slot, item)
	q.wake()
}

// wake wakes a worker, if one is waiting, for an item that was put in line. The caller holds the lock.
func (q *Typed[T]) wake() {
	if q.waiting > 0 {
		q.waiting--
		q.ready.Signal()
	}
}

// Len returns how many items are in line. It is for information only: it may have changed by
// the time the caller looks at it.
func (q *Typed[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.line.len()
}

// Get returns the next item in line, and waits for one if there is none. The caller has to call Done when the
// item is processed. If shutdown is true, there is no item and will be none any more.
func (q *Typed[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.line.len() == 0 {
		if q.shuttingDown {
			return item, true
		}
		q.waiting++
		q.ready.Wait()
	}
	slot := q.line.pop()
	it := q.items.at(slot)
	it.dirty = false
	var started time.Duration
	if q.metrics != nil {
		started = q.metrics.get(it.added)
	}
	if !it.processing {
		q.items.begin(slot, started)
	}
	return it.item, false
}

// Done says that an item that was got is processed. If it was added again meanwhile, it is put in line.
func (q *Typed[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	slot, known := q.items.findProcessing(item)
	if !known {
		return
	}
	it := q.items.at(slot)
	if !it.processing {
		return
	}
	if q.metrics != nil {
		q.metrics.done(it.started)
	}
	q.items.end(slot)
	if it.dirty {
		q.line.push(slot, item)
		q.wake()
	} else {
		q.items.remove(slot)
	}
	if q.items.processing == 0 && q.draining {
		q.idle.Broadcast()
	}
}

// ShutDown makes the queue refuse new items. Workers still get those in line, and are then told to end. Calls of
// [Typed.ShutDownWithDrain] stop waiting.
func (q *Typed[T]) ShutDown() {
	q.shutDown(false)
}

// ShutDownWithDrain is ShutDown that then waits until no item is being processed. It does not return before each
// item that was got is done, unless ShutDown is called. Items that are in line are left to the workers that
// go on getting them.
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

// ShuttingDown reports whether the queue was told to shut down.
func (q *Typed[T]) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.shuttingDown
}

// observeUnfinished sets the metrics of unfinished work from time to time, until the queue shuts down.
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
