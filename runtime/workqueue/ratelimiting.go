package workqueue

import "k8s.io/utils/clock"

// TypedRateLimitingInterface is a queue that can add failed items again after a delay that a [TypedRateLimiter]
// determines.
type TypedRateLimitingInterface[T comparable] interface {
	TypedDelayingInterface[T]
	// AddRateLimited counts a failure of the item, and adds it after the delay that the rate limiter returns.
	// It does not block.
	AddRateLimited(item T)
	// Forget resets the item's failures in the rate limiter. Call it when an item has succeeded or is given up;
	// Done must be called as well.
	Forget(item T)
	// NumRequeues returns how often the item failed according to the rate limiter.
	NumRequeues(item T) int
}

// TypedRateLimitingQueueConfig configures [NewTypedRateLimitingQueueWithConfig]. All fields are optional.
type TypedRateLimitingQueueConfig[T comparable] struct {
	// Name identifies the queue in metrics. A queue without a name has no metrics.
	Name string
	// MetricsProvider creates the metrics of the queue; nil means the provider set by [SetProvider].
	MetricsProvider MetricsProvider
	// Clock measures the delays; nil means the real clock.
	Clock clock.WithTicker
	// DelayingQueue is the underlying queue; nil means a queue of [NewTypedDelayingQueueWithConfig].
	DelayingQueue TypedDelayingInterface[T]
}

// NewTypedRateLimitingQueue returns an empty queue without a name.
//
// An item's failures are retained until Forget is called.
func NewTypedRateLimitingQueue[T comparable](rateLimiter TypedRateLimiter[T]) TypedRateLimitingInterface[T] {
	return NewTypedRateLimitingQueueWithConfig(rateLimiter, TypedRateLimitingQueueConfig[T]{})
}

// NewTypedRateLimitingQueueWithConfig returns an empty queue.
//
// An item's failures are retained until Forget is called.
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
