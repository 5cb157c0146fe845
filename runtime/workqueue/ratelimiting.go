package workqueue

import "k8s.io/utils/clock"

// TypedRateLimitingInterface is a queue that takes items that failed for later, after a time that a
// [TypedRateLimiter] sets.
type TypedRateLimitingInterface[T comparable] interface {
	TypedDelayingInterface[T]
	// AddRateLimited counts a failure of the item, and adds it after the time that the rate limiter says. It does
	// not wait for that.
	AddRateLimited(item T)
	// Forget makes the rate limiter forget the item's failures. Call it when an item has succeeded or is given up;
	// Done has to be called as well.
	Forget(item T)
	// NumRequeues returns how often the item failed, as far as the rate limiter knows.
	NumRequeues(item T) int
}

// TypedRateLimitingQueueConfig configures [NewTypedRateLimitingQueueWithConfig]. All fields are optional.
type TypedRateLimitingQueueConfig[T comparable] struct {
	// Name identifies the queue in metrics. A queue without a name has none.
	Name string
	// MetricsProvider makes the metrics of the queue. If nil, the one of [SetProvider] does.
	MetricsProvider MetricsProvider
	// Clock measures how long items wait; the real one if nil.
	Clock clock.WithTicker
	// DelayingQueue is the queue that is limited. If nil, it is one of [NewTypedDelayingQueueWithConfig].
	DelayingQueue TypedDelayingInterface[T]
}

// NewTypedRateLimitingQueue returns an empty queue without a name.
//
// An item's failures are kept until Forget is called.
func NewTypedRateLimitingQueue[T comparable](rateLimiter TypedRateLimiter[T]) TypedRateLimitingInterface[T] {
	return NewTypedRateLimitingQueueWithConfig(rateLimiter, TypedRateLimitingQueueConfig[T]{})
}

// NewTypedRateLimitingQueueWithConfig returns an empty queue.
//
// An item's failures are kept until Forget is called.
func NewTypedRateLimitingQueueWithConfig[T comparable](rateLimiter TypedRateLimiter[T], config TypedRateLimitingQueueConfig[T]) TypedRateLimitingInterface[T] {
	if config.DelayingQueue == nil {
		config.DelayingQueue = NewTypedDelayingQueueWithConfig(TypedDelayingQueueConfig[T]{
			Name:            config.Name,
			MetricsProvider: config.MetricsProvider,
			Clock:           config.Clock,
		})
	}
	return &rateLimitingQueue[T]{TypedDelayingInterface: config.DelayingQueue, limiter: rateLimiter}
}

type rateLimitingQueue[T comparable] struct {
	TypedDelayingInterface[T]
	limiter TypedRateLimiter[T]
}

func (q *rateLimitingQueue[T]) AddRateLimited(item T)  { q.AddAfter(item, q.limiter.When(item)) }
func (q *rateLimitingQueue[T]) Forget(item T)          { q.limiter.Forget(item) }
func (q *rateLimitingQueue[T]) NumRequeues(item T) int { return q.limiter.NumRequeues(item) }
