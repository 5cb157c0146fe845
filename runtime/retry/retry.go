package retry

import (
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
)

// DefaultRetry is for conflicts among several clients that change the same object: 5 attempts, 10 ms apart.
var DefaultRetry = wait.Backoff{
	Steps:    5,
	Duration: 10 * time.Millisecond,
	Factor:   1.0,
	Jitter:   0.1,
}

// DefaultBackoff is for conflicts with controllers that change the same object for reasons of their own:
// 4 attempts, 10 ms, 50 ms and 250 ms apart.
var DefaultBackoff = wait.Backoff{
	Steps:    4,
	Duration: 10 * time.Millisecond,
	Factor:   5.0,
	Jitter:   0.1,
}

// OnError calls fn until it returns nil, or an error that is not retriable, or backoff's steps are used up,
// and returns its last error.
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

// RetryOnConflict calls fn as [OnError] does, as long as its error is a conflict (409). In each call fn must read
// the object anew, change it and return the error of its update as it is: only then can the next attempt
// succeed, and a conflict be told from other errors.
//
//	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
//		foo, err := foos.Get(ctx, name, metav1.GetOptions{})
//		if err != nil {
//			return err
//		}
//		foo.Spec.Replicas = 3
//		_, err = foos.Update(ctx, foo, metav1.UpdateOptions{})
//		return err
//	})
//
//nolint:revive // the name is part of the compatible API
func RetryOnConflict(backoff wait.Backoff, fn func() error) error {
	return OnError(backoff, errors.IsConflict, fn)
}
