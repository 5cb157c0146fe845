package workqueue

import (
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
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
	logger := klog.Background()
	if config.Logger != nil {
		logger = *config.Logger
	}
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
	return &delayingQueue[T]{
		TypedInterface: config.Queue,
		logger:         logger,
		clock:          config.Clock,
		retries:        newRetriesMetric(config.MetricsProvider, config.Name),
		earlier:        make(chan struct{}, 1),
		stop:           make(chan struct{}),
	}
}

// delayingQueue adds items to a queue after their delay. While items are waiting, a goroutine waits for the
// first.
type delayingQueue[T comparable] struct {
	TypedInterface[T]
	logger  klog.Logger
	clock   clock.WithTicker
	retries CounterMetric // nil if there is none

	// mu guards the fields below. It is not held while the queue is called.
	mu      sync.Mutex
	waiting waiting[T]
	// running is true while the goroutine exists.
	running bool
	// stopped is true when stop is closed.
	stopped bool

	// earlier signals the goroutine that there is another first item, stop that nothing remains to wait for.
	earlier, stop chan struct{}
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
	if q.stopped {
		return
	}
	first := q.waiting.add(item, q.clock.Now().Add(duration))
	if !q.running {
		q.running = true
		go q.addReady()
	} else if first {
		select {
		case q.earlier <- struct{}{}:
		default: // a signal is pending already
		}
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
	if !q.stopped {
		q.stopped = true
		q.waiting = waiting[T]{}
		close(q.stop)
	}
}

// addReady adds each waiting item at its time, until none is left.
func (q *delayingQueue[T]) addReady() {
	defer utilruntime.HandleCrashWithLogger(q.logger)
	for {
		ready, next, more := q.takeReady()
		for _, item := range ready {
			q.Add(item)
		}
		if len(ready) > 0 {
			continue // its time has passed
		}
		if !more || !q.wait(next) {
			return
		}
	}
}

// takeReady removes the items whose time has come. If there are none, it returns the time of the next one, or
// that nothing remains to wait for: then the goroutine must end.
func (q *delayingQueue[T]) takeReady() (ready []T, next time.Time, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	ready = q.waiting.takeUntil(q.clock.Now())
	next, more = q.waiting.next()
	q.running = more || len(ready) > 0
	return ready, next, more
}

// wait waits until a time, or until an item must be added earlier. It returns false if nothing remains to wait
// for because the queue shuts down.
func (q *delayingQueue[T]) wait(until time.Time) bool {
	timer := q.clock.NewTimer(until.Sub(q.clock.Now()))
	defer timer.Stop()
	if !q.clock.Now().Before(until) {
		return true // the clock was set between the two readings
	}
	select {
	case <-timer.C():
		return true
	case <-q.earlier:
		return true
	case <-q.stop:
		return false
	}
}
