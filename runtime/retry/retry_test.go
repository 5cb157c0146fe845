package retry_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/listwatch/listwatch/runtime/retry"
)

func TestRetryOnConflict(t *testing.T) {
	conflict := apierrors.NewConflict(schema.GroupResource{Resource: "gadgets"}, "one", errors.New("changed"))
	other := errors.New("other")
	for _, test := range []struct {
		name  string
		errs  []error // of the calls, the last again and again
		calls int
		want  error
		took  time.Duration
	}{
		{"success", []error{nil}, 1, nil, 0},
		{"conflict", []error{conflict, nil}, 2, nil, time.Second},
		{"conflicts", []error{conflict, conflict, nil}, 3, nil, 3 * time.Second},
		{"wrapped conflict", []error{fmt.Errorf("update: %w", conflict), nil}, 2, nil, time.Second},
		{"too many conflicts", []error{conflict}, 4, conflict, 7 * time.Second},
		{"other error", []error{other}, 1, other, 0},
		{"other error after a conflict", []error{conflict, other}, 2, other, time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start, calls := time.Now(), 0
				err := retry.RetryOnConflict(wait.Backoff{Steps: 4, Duration: time.Second, Factor: 2}, func() error {
					calls++
					return test.errs[min(calls, len(test.errs))-1]
				})
				if !errors.Is(err, test.want) || calls != test.calls || time.Since(start) != test.took {
					t.Errorf("%v after %d calls and %v, want %v after %d and %v", err, calls, time.Since(start), test.want, test.calls, test.took)
				}
			})
		})
	}
}

func TestOnError(t *testing.T) {
	retriable := errors.New("again")
	calls := 0
	err := retry.OnError(wait.Backoff{Steps: 3}, func(err error) bool { return errors.Is(err, retriable) }, func() error {
		calls++
		return retriable
	})
	if !errors.Is(err, retriable) || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
	// An error that says that time is up is the function's own.
	timeout := wait.ErrorInterrupted(errors.New("time is up"))
	err = retry.OnError(wait.Backoff{Steps: 3}, func(error) bool { return false }, func() error { return timeout })
	if !errors.Is(err, timeout) {
		t.Errorf("error is %v", err)
	}
	if err := retry.OnError(wait.Backoff{}, func(error) bool { return true }, func() error { return nil }); err == nil {
		t.Error("no steps: no error")
	}
}

func TestDefaults(t *testing.T) {
	for name, test := range map[string]struct {
		backoff wait.Backoff
		calls   int
		took    time.Duration // at least, and less than a tenth more
	}{
		"DefaultRetry":   {retry.DefaultRetry, 5, 40 * time.Millisecond},
		"DefaultBackoff": {retry.DefaultBackoff, 4, 310 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start, calls := time.Now(), 0
				_ = retry.OnError(test.backoff, func(error) bool { return true }, func() error {
					calls++
					return errors.New("again")
				})
				if took := time.Since(start); calls != test.calls || took < test.took || took > test.took*11/10 {
					t.Errorf("%d calls in %v", calls, took)
				}
			})
		})
	}
}
