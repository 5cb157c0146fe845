package retry

import (
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
)

// DefaultRetry is the backoff for conflicts among clients that update the same object: 5 attempts, 10 ms apart.
var DefaultRetry = wait.Backoff{
	Steps:    5,
	Duration: 10 * time.Millisecond,
	Factor:   1.0,
	Jitter:   0.1,
}

// DefaultBackoff is the backoff for conflicts with controllers that update the same object independently: 4
// attempts, 10 ms, 50 ms and 250 ms apart.
var DefaultBackoff = wait.Backoff{
	Steps:    4,
	Duration: 10 * time.Millisecond,
	Factor:   5.0,
	Jitter:   0.1,
}

// OnError calls fn until it returns nil or an error that is not retriable, or backoff's steps are used up, and
// returns the last error.
func OnError(backoff wait.Backoff, retriable func(error) bool, fn func() error) error {
	var last error
	err := wait.ExponentialBackoff(backoff, func() (bool, error) {
		err := fn()
		switch {
		case err == nil:
			return true, nil
		case retriable(err):
			last = err
			return false, nil
		default:
			return false, err
		}
	})
	if last != nil && wait.Interrupted(err) {
		return last
	}
	return err
}

// RetryOnConflict calls fn like [OnError], as long as its error is a conflict (409). Every call of fn must get
// the object again, modify it and return the unmodified error of its update: otherwise the next attempt cannot
// succeed, or the conflict is not recognized.
//
//	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
//		book, err := books.Get(ctx, name, metav1.GetOptions{})
//		if err != nil {
//			return err
//		}
//		book.Spec.Pages = 474
//		_, err = books.Update(ctx, book, metav1.UpdateOptions{})
//		return err
//	})
//
//nolint:revive // the name is part of the compatible API
func RetryOnConflict(backoff wait.Backoff, fn func() error) error {
	return OnError(backoff, errors.IsConflict, fn)
}
