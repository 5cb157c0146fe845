package workqueue

import (
	"math/bits"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// TypedRateLimiter determines the delay of failed items. The limiters of this package are safe for concurrent
// use.
type TypedRateLimiter[T comparable] interface {
	// When counts a failure of the item, and returns its delay.
	When(item T) time.Duration
	// Forget resets the failures of the item.
	Forget(item T)
	// NumRequeues returns the number of failures of the item.
	NumRequeues(item T) int
}

// DefaultTypedControllerRateLimiter returns a limiter for most controllers: the delay of an item is 5 ms and
// doubles with each failure, up to 1000 s; if more than 100 items fail at once, the rest is limited to 10 per
// second.
func DefaultTypedControllerRateLimiter[T comparable]() TypedRateLimiter[T] {
	return NewTypedMaxOfRateLimiter(
		NewTypedItemExponentialFailureRateLimiter[T](5*time.Millisecond, 1000*time.Second),
		&TypedBucketRateLimiter[T]{Limiter: rate.NewLimiter(10, 100)},
	)
}

// DefaultTypedItemBasedRateLimiter returns a limiter whose delay is 1 ms and doubles with each failure of the
// item, up to 1000 s.
func DefaultTypedItemBasedRateLimiter[T comparable]() TypedRateLimiter[T] {
	return NewTypedItemExponentialFailureRateLimiter[T](time.Millisecond, 1000*time.Second)
}

// TypedBucketRateLimiter delays items until a token of a shared bucket is available. It does not count the
// failures of single items.
type TypedBucketRateLimiter[T comparable] struct {
	*rate.Limiter
}

// When takes a token and returns the time until it is available.
func (r *TypedBucketRateLimiter[T]) When(T) time.Duration { return r.Reserve().Delay() }

// Forget does nothing.
func (r *TypedBucketRateLimiter[T]) Forget(T) {}

// NumRequeues returns 0.
func (r *TypedBucketRateLimiter[T]) NumRequeues(T) int { return 0 }

// failures counts the failures of items.
type failures[T comparable] struct {
	mu     sync.Mutex // guards counts
	counts map[T]int
}

// next counts a failure of an item, and returns the number of earlier ones.
func (f *failures[T]) next(item T) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.counts[item]
	if f.counts == nil {
		f.counts = map[T]int{}
	}
	f.counts[item] = before + 1
	return before
}

func (f *failures[T]) of(item T) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts[item]
}

func (f *failures[T]) forget(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.counts, item)
}

// TypedItemExponentialFailureRateLimiter doubles the delay of an item with each failure, up to a maximum.
type TypedItemExponentialFailureRateLimiter[T comparable] struct {
	failures            failures[T]
	baseDelay, maxDelay time.Duration
}

// NewTypedItemExponentialFailureRateLimiter returns a limiter whose delay is baseDelay at an item's first
// failure and doubles with each further one, up to maxDelay.
func NewTypedItemExponentialFailureRateLimiter[T comparable](baseDelay time.Duration, maxDelay time.Duration) TypedRateLimiter[T] {
	return &TypedItemExponentialFailureRateLimiter[T]{baseDelay: baseDelay, maxDelay: maxDelay}
}

// When counts a failure of the item, and returns its delay.
func (r *TypedItemExponentialFailureRateLimiter[T]) When(item T) time.Duration {
	doublings := r.failures.next(item)
	if r.baseDelay > 0 && doublings >= bits.LeadingZeros64(uint64(r.baseDelay)) {
		return r.maxDelay // longer than a Duration can be
	}
	return min(r.baseDelay<<doublings, r.maxDelay)
}

// Forget resets the failures of the item.
func (r *TypedItemExponentialFailureRateLimiter[T]) Forget(item T) { r.failures.forget(item) }

// NumRequeues returns the number of failures of the item.
func (r *TypedItemExponentialFailureRateLimiter[T]) NumRequeues(item T) int {
	return r.failures.of(item)
}

// TypedItemFastSlowRateLimiter uses a short delay for the first failures of an item, and a longer one after
// them.
type TypedItemFastSlowRateLimiter[T comparable] struct {
	failures             failures[T]
	fastDelay, slowDelay time.Duration
	maxFastAttempts      int
}

// NewTypedItemFastSlowRateLimiter returns a limiter whose delay is fastDelay for an item's first
// maxFastAttempts failures, and slowDelay after them.
func NewTypedItemFastSlowRateLimiter[T comparable](fastDelay, slowDelay time.Duration, maxFastAttempts int) TypedRateLimiter[T] {
	return &TypedItemFastSlowRateLimiter[T]{fastDelay: fastDelay, slowDelay: slowDelay, maxFastAttempts: maxFastAttempts}
}

// When counts a failure of the item, and returns its delay.
func (r *TypedItemFastSlowRateLimiter[T]) When(item T) time.Duration {
	if r.failures.next(item) < r.maxFastAttempts {
		return r.fastDelay
	}
	return r.slowDelay
}

// Forget resets the failures of the item.
func (r *TypedItemFastSlowRateLimiter[T]) Forget(item T) { r.failures.forget(item) }

// NumRequeues returns the number of failures of the item.
func (r *TypedItemFastSlowRateLimiter[T]) NumRequeues(item T) int { return r.failures.of(item) }

// TypedMaxOfRateLimiter uses the longest delay of several limiters. Each limiter counts the failure: a bucket
// loses a token even if another limiter's delay is longer.
type TypedMaxOfRateLimiter[T comparable] struct {
	limiters []TypedRateLimiter[T]
}

// NewTypedMaxOfRateLimiter returns a limiter that combines limiters.
func NewTypedMaxOfRateLimiter[T comparable](limiters ...TypedRateLimiter[T]) TypedRateLimiter[T] {
	return &TypedMaxOfRateLimiter[T]{limiters: limiters}
}

// When counts a failure of the item with each limiter, and returns its delay.
func (r *TypedMaxOfRateLimiter[T]) When(item T) time.Duration {
	var longest time.Duration
	for _, limiter := range r.limiters {
		longest = max(longest, limiter.When(item))
	}
	return longest
}

// Forget resets the failures of the item in each limiter.
func (r *TypedMaxOfRateLimiter[T]) Forget(item T) {
	for _, limiter := range r.limiters {
		limiter.Forget(item)
	}
}

// NumRequeues returns the highest number of failures of the limiters.
func (r *TypedMaxOfRateLimiter[T]) NumRequeues(item T) int {
	most := 0
	for _, limiter := range r.limiters {
		most = max(most, limiter.NumRequeues(item))
	}
	return most
}

// TypedWithMaxWaitRateLimiter caps the delay of another limiter.
type TypedWithMaxWaitRateLimiter[T comparable] struct {
	limiter  TypedRateLimiter[T]
	maxDelay time.Duration
}

// NewTypedWithMaxWaitRateLimiter returns a limiter that caps the delay of limiter.
func NewTypedWithMaxWaitRateLimiter[T comparable](limiter TypedRateLimiter[T], maxDelay time.Duration) TypedRateLimiter[T] {
	return &TypedWithMaxWaitRateLimiter[T]{limiter: limiter, maxDelay: maxDelay}
}

// When counts a failure of the item, and returns its delay.
func (w TypedWithMaxWaitRateLimiter[T]) When(item T) time.Duration {
	return min(w.limiter.When(item), w.maxDelay)
}

// Forget resets the failures of the item.
func (w TypedWithMaxWaitRateLimiter[T]) Forget(item T) { w.limiter.Forget(item) }

// NumRequeues returns the number of failures of the item.
func (w TypedWithMaxWaitRateLimiter[T]) NumRequeues(item T) int { return w.limiter.NumRequeues(item) }
