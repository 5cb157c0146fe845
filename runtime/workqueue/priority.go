package workqueue

import (
	"time"

	"k8s.io/utils/clock"
)

// AddOpts determines when and where AddWithOpts of a [TypedPriorityInterface] queues an item. It has the fields of
// controller-runtime's AddOpts, so that either can be converted to the other.
type AddOpts struct {
	// After is the delay of the item; 0 or less means none.
	After time.Duration
	// RateLimited counts a failure of the item, and delays it as the rate limiter determines. If After is set
	// too, the shorter of the two delays counts.
	RateLimited bool
	// Priority is the priority of the item, the higher the sooner; nil means 0.
	Priority *int
}

// TypedPriorityInterface is a queue whose items have priorities. Get returns an item of the highest priority, the
// first that was added with it, with one exception, by which no item waits forever: one item in 16 is the one that
// has been queued for longest, if it was not its turn otherwise. So an item is returned after at most 16 calls of
// Get for it and for each item that was queued before it, whatever is added meanwhile.
//
// An item is queued or waiting once. If it is added again, it gets the higher priority and the earlier time: a
// queued item stays queued, and an item that waits for its delay and is added without one is queued at once. Add,
// AddAfter and AddRateLimited use the priority 0.
//
// Priorities should be few: adding an item takes longer the more different ones are queued.
type TypedPriorityInterface[T comparable] interface {
	TypedRateLimitingInterface[T]
	// AddWithOpts adds each item as o determines. It does not block.
	AddWithOpts(o AddOpts, items ...T)
	// GetWithPriority is Get, and also returns the item's priority. A worker that adds the item again because
	// it failed should pass that on.
	GetWithPriority() (item T, priority int, shutdown bool)
}

// TypedPriorityQueueConfig configures [NewTypedPriorityQueueWithConfig]. All fields are optional.
type TypedPriorityQueueConfig[T comparable] struct {
	// Name identifies the queue in metrics. A queue without a name has no metrics.
	Name string
	// MetricsProvider creates the metrics of the queue; nil means the provider set by [SetProvider].
	MetricsProvider MetricsProvider
	// Clock measures the delays; nil means the real clock.
	Clock clock.WithTicker
}

// NewTypedPriorityQueue returns an empty queue without a name.
//
// An item's failures are kept until Forget is called.
func NewTypedPriorityQueue[T comparable](rateLimiter TypedRateLimiter[T]) TypedPriorityInterface[T] {
	return NewTypedPriorityQueueWithConfig(rateLimiter, TypedPriorityQueueConfig[T]{})
}

// NewTypedPriorityQueueWithConfig returns an empty queue. A queue with metrics must be shut down to release its
// goroutine.
//
// An item's failures are kept until Forget is called.
func NewTypedPriorityQueueWithConfig[T comparable](rateLimiter TypedRateLimiter[T], config TypedPriorityQueueConfig[T]) TypedPriorityInterface[T] {
	if config.Clock == nil {
		config.Clock = clock.RealClock{}
	}
	typed := NewTypedWithConfig(TypedQueueConfig[T]{Name: config.Name, MetricsProvider: config.MetricsProvider, Clock: config.Clock})
	q := &priorityQueue[T]{
		Typed:   typed,
		limiter: rateLimiter,
		retries: newRetriesMetric(config.MetricsProvider, config.Name),
		line:    &priorityLine[T]{items: &typed.items},
	}
	typed.line = q.line
	q.alarm = newAlarm(nil, config.Clock, q.addReady)
	return q
}

// priorityQueue is a [Typed] queue with another line. The lock of Typed guards line, delayed and alarm as well.
type priorityQueue[T comparable] struct {
	*Typed[T]
	limiter TypedRateLimiter[T]
	retries CounterMetric // nil if there is none

	line *priorityLine[T]
	// delayed are the items that wait for their delay. None of them is dirty.
	delayed waiting[T]
	alarm   alarm
}

func (q *priorityQueue[T]) Add(item T) { q.addAfter(item, 0, 0) }

func (q *priorityQueue[T]) AddAfter(item T, duration time.Duration) {
	q.AddWithOpts(AddOpts{After: duration}, item)
}

func (q *priorityQueue[T]) AddRateLimited(item T) {
	q.AddWithOpts(AddOpts{RateLimited: true}, item)
}

func (q *priorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	if q.ShuttingDown() {
		return
	}
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		delay := o.After
		if o.RateLimited {
			limited := q.limiter.When(item)
			if delay <= 0 || limited < delay {
				delay = limited
			}
		}
		if q.retries != nil && (o.RateLimited || o.After > 0) {
			q.retries.Inc()
		}
		q.addAfter(item, priority, delay)
	}
}

// addAfter adds an item after a delay, or at once if it is not positive.
func (q *priorityQueue[T]) addAfter(item T, priority int, delay time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.alarm.stopped:
	case delay <= 0:
		if it := q.delayed.remove(item); it != nil {
			priority = max(priority, it.priority)
		}
		q.enqueue(item, priority)
	case q.dirty(item):
		q.enqueue(item, priority)
	default:
		q.alarm.set(q.delayed.add(item, priority, q.clock.Now().Add(delay)))
	}
}

// dirty reports whether an item is dirty. The caller holds the lock.
func (q *priorityQueue[T]) dirty(item T) bool {
	place, known := q.items.find(item)
	return known && q.items.at(place).dirty
}

// enqueue makes an item dirty, with at least a priority. The caller holds the lock.
func (q *priorityQueue[T]) enqueue(item T, priority int) {
	place := q.items.place(item)
	q.line.raise(place, q.items.at(place).dirty, priority)
	q.add(place)
}

// addReady is the ring of the alarm.
func (q *priorityQueue[T]) addReady() (next time.Time, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, it := range q.delayed.takeUntil(q.clock.Now()) {
		q.enqueue(it.item, it.priority)
	}
	next, more = q.delayed.next()
	if !more {
		q.alarm.pause()
	}
	return next, more
}

func (q *priorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	first := q.next()
	if first == 0 {
		return item, 0, true
	}
	return q.items.at(first).item, q.line.priority(first), false
}

func (q *priorityQueue[T]) Forget(item T)          { q.limiter.Forget(item) }
func (q *priorityQueue[T]) NumRequeues(item T) int { return q.limiter.NumRequeues(item) }

func (q *priorityQueue[T]) ShutDown() {
	q.drop()
	q.Typed.ShutDown()
}

func (q *priorityQueue[T]) ShutDownWithDrain() {
	q.drop()
	q.Typed.ShutDownWithDrain()
}

// drop removes the waiting items and ends the goroutine.
func (q *priorityQueue[T]) drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.alarm.end() {
		q.delayed = waiting[T]{}
	}
}
