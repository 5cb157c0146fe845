package cache

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/clock"
)

// RetryWithDeadline decides how long errors that may pass are retried. It is not safe for concurrent use.
type RetryWithDeadline interface {
	// After is called with the result of each attempt.
	After(error)
	// ShouldRetry reports whether to try again after an error.
	ShouldRetry() bool
}

// NewRetryWithDeadline returns a decision to retry for maxRetryDuration from the first of a series of errors for which
// isRetryable returns true. A series ends after minResetPeriod without such an error.
func NewRetryWithDeadline(maxRetryDuration, minResetPeriod time.Duration, isRetryable func(error) bool, clock clock.Clock) RetryWithDeadline {
	return &retryWithDeadline{limit: maxRetryDuration, reset: minResetPeriod, isRetryable: isRetryable, clock: clock}
}

type retryWithDeadline struct {
	limit, reset time.Duration
	isRetryable  func(error) bool
	clock        clock.Clock

	first, last time.Time // of the errors of the current series; zero without one
}

func (r *retryWithDeadline) After(err error) {
	if !r.isRetryable(err) {
		return
	}
	now := r.clock.Now()
	if r.first.IsZero() || now.Sub(r.last) >= r.reset {
		r.first = now
	}
	r.last = now
}

func (r *retryWithDeadline) ShouldRetry() bool {
	if r.limit <= 0 {
		return false
	}
	if !r.first.IsZero() && r.clock.Since(r.first) <= r.limit {
		return true
	}
	r.first, r.last = time.Time{}, time.Time{}
	return false
}

// ResourceVersionComparator compares the versions of objects.
type ResourceVersionComparator interface {
	// CompareResourceVersion returns -1, 0 or 1 if the version of lhs is older than, the same as, or newer than that of
	// rhs.
	CompareResourceVersion(lhs, rhs runtime.Object) int
}
