package leaderelection

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// Run waits until the elector acquires the lease, calls OnStartedLeading, and renews the lease. It returns when
// ctx is done or the term has ended, after calling OnStoppedLeading. When it returns, it has left no goroutines
// behind, except those of callbacks that have not returned.
func (le *LeaderElector) Run(ctx context.Context) {
	defer runtime.HandleCrashWithContext(ctx)
	defer le.config.Callbacks.OnStoppedLeading()

	t := le.acquire(ctx)
	if t == nil {
		return
	}
	le.lead(t)
	defer le.lead(nil)
	defer t.end(context.Canceled)

	led := make(chan struct{})
	go func() {
		defer close(led)
		le.config.Callbacks.OnStartedLeading(t.ctx)
	}()
	defer le.config.Lock.RecordEvent("stopped leading")
	le.renew(t)
	le.metrics.Off(le.config.Name)
	if le.config.ReleaseOnCancel && le.mayRelease(t, led) {
		le.release(context.WithoutCancel(ctx), t)
	}
}

// acquire returns the term that begins when the elector acquires the lease, or nil if ctx is done before that.
func (le *LeaderElector) acquire(ctx context.Context) *term {
	lock := le.config.Lock.Describe()
	logger := klog.FromContext(ctx)
	logger.Info("Attempting to acquire leader lease...", "lock", lock)
	for ctx.Err() == nil {
		attempt, cancel := le.withTimeout(ctx)
		err := le.attempt(attempt)
		cancel()
		if err == nil && !le.inTime(le.seen.at) {
			err = errExpired // the lock ignores its context
		}
		if err == nil {
			le.config.Lock.RecordEvent("became leader")
			le.metrics.On(le.config.Name)
			logger.Info("Successfully acquired lease", "lock", lock, "term", le.seen.record.LeaderTransitions)
			return le.begin(ctx)
		}
		le.log(ctx, "Failed to acquire lease", err)
		le.sleep(ctx, le.pause())
	}
	return nil
}

// pause returns how long a candidate waits until its next attempt: a random duration, but not longer than the
// lease that it has seen lasts.
func (le *LeaderElector) pause() time.Duration {
	period := le.config.RetryPeriod
	pause := period + time.Duration(le.random()*JitterFactor*float64(period))
	if left := le.leaseLeft(); left > 0 {
		pause = min(pause, left)
	}
	return pause
}

// renew renews the lease every RetryPeriod until the term ends.
func (le *LeaderElector) renew(t *term) {
	succeeded := true
	for t.ctx.Err() == nil {
		start := le.clock.Now()
		if succeeded {
			le.restart(t)
		}
		err := le.attempt(t.ctx)
		succeeded = err == nil
		switch {
		case succeeded:
			le.extend(t, le.seen.at)
		case errors.Is(err, errNotHolder), errors.Is(err, errEndOfTerm):
			le.log(t.ctx, "Stopped renewing lease", err)
			t.end(err)
		case t.ctx.Err() == nil:
			le.log(t.ctx, "Failed to renew lease", err)
		}
		le.sleep(t.ctx, le.config.RetryPeriod-le.clock.Since(start))
	}
	logger, lock := klog.FromContext(t.ctx), le.config.Lock.Describe()
	if err := context.Cause(t.ctx); errors.Is(err, context.Canceled) { // Run's context; a manager's logs have no such error
		logger.Info("Stopped leading", "lock", lock)
	} else {
		logger.Info("Stopped leading", "lock", lock, "err", err)
	}
}

// log logs why an attempt did not succeed: errors of requests as such, as a detail the state of the lease and that
// another replica was faster.
func (le *LeaderElector) log(ctx context.Context, message string, err error) {
	logger, lock := klog.FromContext(ctx), le.config.Lock.Describe()
	switch {
	case errors.Is(err, errNotHolder), errors.Is(err, errEndOfTerm), apierrors.IsAlreadyExists(err), apierrors.IsConflict(err):
		logger.V(4).Info(message, "lock", lock, "holder", le.seen.record.HolderIdentity, "err", err)
	default:
		logger.Error(err, message, "lock", lock)
	}
}

// sleep waits until d has passed or ctx is done.
func (le *LeaderElector) sleep(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := le.clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
	case <-ctx.Done():
	}
}

// withTimeout returns a context that is done when RenewDeadline has passed.
func (le *LeaderElector) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := le.clock.AfterFunc(le.config.RenewDeadline, func() { cancel(context.DeadlineExceeded) })
	return ctx, func() {
		timer.Stop()
		cancel(context.Canceled)
	}
}
