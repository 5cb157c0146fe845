package workqueue

import (
	"sync"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// TypedDelayingInterface is a queue that can also add items after a delay.
type TypedDelayingInterface[T comparable] interface {
	TypedInterface[T]
	// AddAfter adds the item after the duration, or immediately if it is not positive. It does not
	// block. If the item is already waiting, it is added once, at the earlier of the two times.
	// Items that are waiting when the queue shuts down are dropped.
	AddAfter(item T, duration time.Duration)
}

// TypedDelayingQueueConfig configures [NewTypedDelayingQueueWithConfig]. All fields are optional.
type TypedDelayingQueueConfig[T comparable] struct {
	// Logger logs panics of the queue's goroutine; nil means klog. The name of the queue is not added to it.
	Logger *klog.Logger
	// Name identifies the queue in metrics. A queue without a name has no metrics.
	Name string
	// MetricsProvider creates the metrics of the queue; nil means the provider set by [SetProvider].
	MetricsProvider MetricsProvider
	// Clock measures the delays; nil means the real clock.
	Clock clock.WithTicker
	// Queue receives the items after their delay; nil means a queue of [NewTypedWithConfig].
	Queue TypedInterface[T]
}

// NewTypedDelayingQueue returns an empty queue without a name.
func NewTypedDelayingQueue[T comparable]() TypedDelayingInterface[T] {
	return NewTypedDelayingQueueWithConfig(TypedDelayingQueueConfig[T]{})
}

// NewTypedDelayingQueueWithConfig returns an empty queue.
func NewTypedDelayingQueueWithConfig[T comparable](config TypedDelayingQueueConfig[T]) TypedDelayingInterface[T] {
	if config.Clock == nil {
		config.Clock = clock.RealClock{}
	}
	if config.Queue == nil {
		config.Queue = NewTypedWithConfig(TypedQueueConfig[T]{
			Name:            config.Name,
			MetricsProvider: config.MetricsProvider,
			Clock:           config.Clock,
		})
	}
	q := &delayingQueue[T]{
		TypedInterface: config.Queue,
		clock:          config.Clock,
		retries:        newRetriesMetric(config.MetricsProvider, config.Name),
	}
	q.alarm = newAlarm(config.Logger, config.Clock, q.addReady)
	return q
}

// delayingQueue adds items to a queue after their delay.
type delayingQueue[T comparable] struct {
	TypedInterface[T]
	clock   clock.WithTicker
	retries CounterMetric // nil if there is none

	// mu guards the fields below. It is not held while the queue is called.
	mu      sync.Mutex
	waiting waiting[T]
	alarm   alarm
}

func (q *delayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if q.ShuttingDown() {
		return
	}
	if q.retries != nil {
		q.retries.Inc()
	}
	if duration <= 0 {
		q.Add(item)
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.alarm.stopped {
		q.alarm.set(q.waiting.add(item, 0, q.clock.Now().Add(duration)))
	}
}

func (q *delayingQueue[T]) ShutDown() {
	q.drop()
	q.TypedInterface.ShutDown()
}

func (q *delayingQueue[T]) ShutDownWithDrain() {
	q.drop()
	q.TypedInterface.ShutDownWithDrain()
}

// drop removes the waiting items and ends the goroutine.
func (q *delayingQueue[T]) drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.alarm.end() {
		q.waiting = waiting[T]{}
	}
}

// addReady is the ring of the alarm.
func (q *delayingQueue[T]) addReady() (next time.Time, more bool) {
	for {
		ready, next, more := q.takeReady()
		if len(ready) == 0 {
			return next, more
		}
		for _, it := range ready {
			q.Add(it.item)
		}
	}
}

// takeReady removes the items whose time has come. If there are none, it returns the time of the next one.
func (q *delayingQueue[T]) takeReady() (ready []*waitingItem[T], next time.Time, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	ready = q.waiting.takeUntil(q.clock.Now())
	next, more = q.waiting.next()
	if !more && len(ready) == 0 {
		q.alarm.pause()
	}
	return ready, next, more
}
