package workqueue

import (
	"time"

	"k8s.io/utils/clock"
)

// Interface is a queue of items of any type.
//
// Deprecated: Use [TypedInterface] instead.
type Interface TypedInterface[any]

// DelayingInterface is a queue of items of any type that can add them after a delay.
//
// Deprecated: Use [TypedDelayingInterface] instead.
type DelayingInterface TypedDelayingInterface[any]

// RateLimitingInterface is a queue of items of any type that can add them after a limiter's delay.
//
// Deprecated: Use [TypedRateLimitingInterface] instead.
type RateLimitingInterface TypedRateLimitingInterface[any]

// RateLimiter determines the delay of failed items of any type.
//
// Deprecated: Use [TypedRateLimiter] instead.
type RateLimiter TypedRateLimiter[any]

// Type is a queue of items of any type.
//
// Deprecated: Use [Typed] instead.
type Type = Typed[any]

// QueueConfig configures [NewWithConfig].
//
// Deprecated: Use [TypedQueueConfig] instead.
type QueueConfig = TypedQueueConfig[any]

// DelayingQueueConfig configures [NewDelayingQueueWithConfig].
//
// Deprecated: Use [TypedDelayingQueueConfig] instead.
type DelayingQueueConfig = TypedDelayingQueueConfig[any]

// RateLimitingQueueConfig configures [NewRateLimitingQueueWithConfig].
//
// Deprecated: Use [TypedRateLimitingQueueConfig] instead.
type RateLimitingQueueConfig = TypedRateLimitingQueueConfig[any]

// BucketRateLimiter is a [TypedBucketRateLimiter] for items of any type.
//
// Deprecated: Use [TypedBucketRateLimiter] instead.
type BucketRateLimiter = TypedBucketRateLimiter[any]

// ItemExponentialFailureRateLimiter is a [TypedItemExponentialFailureRateLimiter] for items of any type.
//
// Deprecated: Use [TypedItemExponentialFailureRateLimiter] instead.
type ItemExponentialFailureRateLimiter = TypedItemExponentialFailureRateLimiter[any]

// ItemFastSlowRateLimiter is a [TypedItemFastSlowRateLimiter] for items of any type.
//
// Deprecated: Use [TypedItemFastSlowRateLimiter] instead.
type ItemFastSlowRateLimiter = TypedItemFastSlowRateLimiter[any]

// MaxOfRateLimiter is a [TypedMaxOfRateLimiter] for items of any type.
//
// Deprecated: Use [TypedMaxOfRateLimiter] instead.
type MaxOfRateLimiter = TypedMaxOfRateLimiter[any]

// WithMaxWaitRateLimiter is a [TypedWithMaxWaitRateLimiter] for items of any type.
//
// Deprecated: Use [TypedWithMaxWaitRateLimiter] instead.
type WithMaxWaitRateLimiter = TypedWithMaxWaitRateLimiter[any]

// New returns an empty queue without a name.
//
// Deprecated: Use [NewTyped] instead.
func New() *Type { return NewTyped[any]() }

// NewNamed returns an empty queue with a name.
//
// Deprecated: Use [NewTypedWithConfig] instead.
func NewNamed(name string) *Type { return NewTypedWithConfig(QueueConfig{Name: name}) }

// NewWithConfig returns an empty queue.
//
// Deprecated: Use [NewTypedWithConfig] instead.
func NewWithConfig(config QueueConfig) *Type { return NewTypedWithConfig(config) }

// NewDelayingQueue returns an empty queue without a name.
//
// Deprecated: Use [NewTypedDelayingQueue] instead.
func NewDelayingQueue() DelayingInterface { return NewTypedDelayingQueue[any]() }

// NewNamedDelayingQueue returns an empty queue with a name.
//
// Deprecated: Use [NewTypedDelayingQueueWithConfig] instead.
func NewNamedDelayingQueue(name string) DelayingInterface {
	return NewTypedDelayingQueueWithConfig(DelayingQueueConfig{Name: name})
}

// NewDelayingQueueWithConfig returns an empty queue.
//
// Deprecated: Use [NewTypedDelayingQueueWithConfig] instead.
func NewDelayingQueueWithConfig(config DelayingQueueConfig) DelayingInterface {
	return NewTypedDelayingQueueWithConfig(config)
}

// NewDelayingQueueWithCustomQueue returns a queue that adds to another one.
//
// Deprecated: Use [NewTypedDelayingQueueWithConfig] instead.
func NewDelayingQueueWithCustomQueue(q Interface, name string) DelayingInterface {
	return NewTypedDelayingQueueWithConfig(DelayingQueueConfig{Name: name, Queue: q})
}

// NewDelayingQueueWithCustomClock returns an empty queue with a clock.
//
// Deprecated: Use [NewTypedDelayingQueueWithConfig] instead.
func NewDelayingQueueWithCustomClock(clock clock.WithTicker, name string) DelayingInterface {
	return NewTypedDelayingQueueWithConfig(DelayingQueueConfig{Name: name, Clock: clock})
}

// TypedNewDelayingQueue is [NewTypedDelayingQueue].
//
// Deprecated: Use [NewTypedDelayingQueue] instead.
func TypedNewDelayingQueue[T comparable]() TypedDelayingInterface[T] {
	return NewTypedDelayingQueue[T]()
}

// NewRateLimitingQueue returns an empty queue without a name.
//
// Deprecated: Use [NewTypedRateLimitingQueue] instead.
func NewRateLimitingQueue(rateLimiter RateLimiter) RateLimitingInterface {
	return NewTypedRateLimitingQueue[any](rateLimiter)
}

// NewNamedRateLimitingQueue returns an empty queue with a name.
//
// Deprecated: Use [NewTypedRateLimitingQueueWithConfig] instead.
func NewNamedRateLimitingQueue(rateLimiter RateLimiter, name string) RateLimitingInterface {
	return NewTypedRateLimitingQueueWithConfig[any](rateLimiter, RateLimitingQueueConfig{Name: name})
}

// NewRateLimitingQueueWithConfig returns an empty queue.
//
// Deprecated: Use [NewTypedRateLimitingQueueWithConfig] instead.
func NewRateLimitingQueueWithConfig(rateLimiter RateLimiter, config RateLimitingQueueConfig) RateLimitingInterface {
	return NewTypedRateLimitingQueueWithConfig[any](rateLimiter, config)
}

// NewRateLimitingQueueWithDelayingInterface returns a queue that limits another one.
//
// Deprecated: Use [NewTypedRateLimitingQueueWithConfig] instead.
func NewRateLimitingQueueWithDelayingInterface(di DelayingInterface, rateLimiter RateLimiter) RateLimitingInterface {
	return NewTypedRateLimitingQueueWithConfig[any](rateLimiter, RateLimitingQueueConfig{DelayingQueue: di})
}

// DefaultControllerRateLimiter is [DefaultTypedControllerRateLimiter] for items of any type.
//
// Deprecated: Use [DefaultTypedControllerRateLimiter] instead.
func DefaultControllerRateLimiter() RateLimiter { return DefaultTypedControllerRateLimiter[any]() }

// DefaultItemBasedRateLimiter is [DefaultTypedItemBasedRateLimiter] for items of any type.
//
// Deprecated: Use [DefaultTypedItemBasedRateLimiter] instead.
func DefaultItemBasedRateLimiter() RateLimiter { return DefaultTypedItemBasedRateLimiter[any]() }

// NewItemExponentialFailureRateLimiter is [NewTypedItemExponentialFailureRateLimiter] for items of any type.
//
// Deprecated: Use [NewTypedItemExponentialFailureRateLimiter] instead.
func NewItemExponentialFailureRateLimiter(baseDelay time.Duration, maxDelay time.Duration) RateLimiter {
	return NewTypedItemExponentialFailureRateLimiter[any](baseDelay, maxDelay)
}

// NewItemFastSlowRateLimiter is [NewTypedItemFastSlowRateLimiter] for items of any type.
//
// Deprecated: Use [NewTypedItemFastSlowRateLimiter] instead.
func NewItemFastSlowRateLimiter(fastDelay, slowDelay time.Duration, maxFastAttempts int) RateLimiter {
	return NewTypedItemFastSlowRateLimiter[any](fastDelay, slowDelay, maxFastAttempts)
}

// NewMaxOfRateLimiter is [NewTypedMaxOfRateLimiter] for items of any type.
//
// Deprecated: Use [NewTypedMaxOfRateLimiter] instead.
func NewMaxOfRateLimiter(limiters ...TypedRateLimiter[any]) RateLimiter {
	return NewTypedMaxOfRateLimiter(limiters...)
}

// NewWithMaxWaitRateLimiter is [NewTypedWithMaxWaitRateLimiter] for items of any type.
//
// Deprecated: Use [NewTypedWithMaxWaitRateLimiter] instead.
func NewWithMaxWaitRateLimiter(limiter RateLimiter, maxDelay time.Duration) RateLimiter {
	return NewTypedWithMaxWaitRateLimiter[any](limiter, maxDelay)
}
