package workqueue

import (
	"math/bits"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// TypedRateLimiter decides how long items that failed have to wait. Those of this package may be used by many
// goroutines at once.
type TypedRateLimiter[T comparable] interface {
	// When counts a failure of the item, and returns how long it has to wait.
	When(item T) time.Duration
	// Forget forgets the failures of the item.
	Forget(item T)
	// NumRequeues returns how many failures of the item were counted.
	NumRequeues(item T) int
}

// DefaultTypedControllerRateLimiter returns the limiter that suits most controllers: an item waits 5 ms, and twice
// as long with each failure, up to 1000 s; and when more than 100 items fail at once, only 10 a second
// of the rest are let through.
func DefaultTypedControllerRateLimiter[T comparable]() TypedRateLimiter[T] {
	return NewTypedMaxOfRateLimiter(
		NewTypedItemExponentialFailureRateLimiter[T](5*time.Millisecond, 1000*time.Second),
		&TypedBucketRateLimiter[T]{Limiter: rate.NewLimiter(10, 100)},
	)
}

// DefaultTypedItemBasedRateLimiter returns a limiter by which an item waits 1 ms, and twice as long with each
// failure, up to 1000 s.
func DefaultTypedItemBasedRateLimiter[T comparable]() TypedRateLimiter[T] {
	return NewTypedItemExponentialFailureRateLimiter[T](time.Millisecond, 1000*time.Second)
}

// TypedBucketRateLimiter makes items wait for a token of a bucket that they all share. It does not count the
// failures of single items.
type TypedBucketRateLimiter[T comparable] struct {
	*rate.Limiter
}

// When takes a token and returns how long it takes until there is one.
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

// next counts a failure of an item, and returns how many it had before.
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

// TypedItemExponentialFailureRateLimiter makes an item wait twice as long with each failure, up to a maximum.
type TypedItemExponentialFailureRateLimiter[T comparable] struct {
	failures            failures[T]
	baseDelay, maxDelay time.Duration
}

// NewTypedItemExponentialFailureRateLimiter returns a limiter by which an item waits for baseDelay at
// its first failure, for twice as long with each one that follows, and never longer than maxDelay.
func NewTypedItemExponentialFailureRateLimiter[T comparable](baseDelay time.Duration, maxDelay time.Duration) TypedRateLimiter[T] {
	return &TypedItemExponentialFailureRateLimiter[T]{baseDelay: baseDelay, maxDelay: maxDelay}
}

// When counts a failure of the item, and returns how long it has to wait.
func (r *TypedItemExponentialFailureRateLimiter[T]) When(item T) time.Duration {
	doublings := r.failures.next(item)
	if r.baseDelay > 0 && doublings >= bits.LeadingZeros64(uint64(r.baseDelay)) {
		return r.maxDelay // more than can be told
	}
	return min(r.baseDelay<<doublings, r.maxDelay)
}

// Forget forgets the failures of the item.
func (r *TypedItemExponentialFailureRateLimiter[T]) Forget(item T) { r.failures.forget(item) }

// NumRequeues returns how many failures of the item were counted.
func (r *TypedItemExponentialFailureRateLimiter[T]) NumRequeues(item T) int {
	return r.failures.of(item)
}

// TypedItemFastSlowRateLimiter makes an item wait for a short time at its first failures, and for a
// longer one after that.
type TypedItemFastSlowRateLimiter[T comparable] struct {
	failures             failures[T]
	fastDelay, slowDelay time.Duration
	maxFastAttempts      int
}

// NewTypedItemFastSlowRateLimiter returns a limiter by which an item waits for fastDelay at its first
// maxFastAttempts failures, and for slowDelay at those that follow.
func NewTypedItemFastSlowRateLimiter[T comparable](fastDelay, slowDelay time.Duration, maxFastAttempts int) TypedRateLimiter[T] {
	return &TypedItemFastSlowRateLimiter[T]{fastDelay: fastDelay, slowDelay: slowDelay, maxFastAttempts: maxFastAttempts}
}

// When counts a failure of the item, and returns how long it has to wait.
func (r *TypedItemFastSlowRateLimiter[T]) When(item T) time.Duration {
	if r.failures.next(item) < r.maxFastAttempts {
		return r.fastDelay
	}
	return r.slowDelay
}

// Forget forgets the failures of the item.
func (r *TypedItemFastSlowRateLimiter[T]) Forget(item T) { r.failures.forget(item) }

// NumRequeues returns how many failures of the item were counted.
func (r *TypedItemFastSlowRateLimiter[T]) NumRequeues(item T) int { return r.failures.of(item) }

// TypedMaxOfRateLimiter asks several limiters, and makes items wait for the longest of the times they return.
// Each limiter counts the failure: a bucket gives away a token also if another limiter says to wait longer.
type TypedMaxOfRateLimiter[T comparable] struct {
	limiters []TypedRateLimiter[T]
}

// NewTypedMaxOfRateLimiter returns a limiter that asks others.
func NewTypedMaxOfRateLimiter[T comparable](limiters ...TypedRateLimiter[T]) TypedRateLimiter[T] {
	return &TypedMaxOfRateLimiter[T]{limiters: limiters}
}

// When counts a failure of the item with each limiter, and returns how long it has to wait.
func (r *TypedMaxOfRateLimiter[T]) When(item T) time.Duration {
	var longest time.Duration
	for _, limiter := range r.limiters {
		longest = max(longest, limiter.When(item))
	}
	return longest
}

// Forget has each limiter forget the item.
func (r *TypedMaxOfRateLimiter[T]) Forget(item T) {
	for _, limiter := range r.limiters {
		limiter.Forget(item)
	}
}

// NumRequeues returns the greatest number of failures that a limiter counted.
func (r *TypedMaxOfRateLimiter[T]) NumRequeues(item T) int {
	most := 0
	for _, limiter := range r.limiters {
		most = max(most, limiter.NumRequeues(item))
	}
	return most
}

// TypedWithMaxWaitRateLimiter asks another limiter, and lets no item wait longer than a maximum.
type TypedWithMaxWaitRateLimiter[T comparable] struct {
	limiter  TypedRateLimiter[T]
	maxDelay time.Duration
}

// NewTypedWithMaxWaitRateLimiter returns a limiter that asks another one.
func NewTypedWithMaxWaitRateLimiter[T comparable](limiter TypedRateLimiter[T], maxDelay time.Duration) TypedRateLimiter[T] {
	return &TypedWithMaxWaitRateLimiter[T]{limiter: limiter, maxDelay: maxDelay}
}

// When counts a failure of the item, and returns how long it has to wait.
func (w TypedWithMaxWaitRateLimiter[T]) When(item T) time.Duration {
	return min(w.limiter.When(item), w.maxDelay)
}

// Forget forgets the failures of the item.
func (w TypedWithMaxWaitRateLimiter[T]) Forget(item T) { w.limiter.Forget(item) }

// NumRequeues returns how many failures of the item were counted.
func (w TypedWithMaxWaitRateLimiter[T]) NumRequeues(item T) int { return w.limiter.NumRequeues(item) }
