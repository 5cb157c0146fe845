package leaderelection

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

// mayRelease waits until OnStartedLeading has returned, at most until the end of the lease, and reports whether
// it did. It does not wait if the lease is another's.
func (le *LeaderElector) mayRelease(t *term, led <-chan struct{}) bool {
	if errors.Is(context.Cause(t.ctx), errNotHolder) {
		return false
	}
	timer := le.clock.NewTimer(le.remaining(le.seen.at))
	defer timer.Stop()
	select {
	case <-led:
		return true
	case <-timer.C():
		return false
	}
}

// firstPause is how long release waits after the first conflict; it waits twice as long after each further one, up to
// RetryPeriod.
const firstPause = 10 * time.Millisecond

// release gives up the lease, if it is still the elector's, until RenewDeadline has passed. A conflict is possible because a
// renewal that was cancelled may have reached the server.
func (le *LeaderElector) release(ctx context.Context, t *term) {
	le.lead(nil) // another may lead before the response is here
	logger, lock := klog.FromContext(ctx), le.config.Lock.Describe()
	ctx, cancel := le.withTimeout(ctx)
	defer cancel()
	var err error
	for pause := firstPause; ctx.Err() == nil; pause = min(2*pause, le.config.RetryPeriod) {
		var record *resourcelock.LeaderElectionRecord
		if record, _, err = le.config.Lock.Get(ctx); err != nil {
			logger.Error(err, "Failed to read lease that is to be released", "lock", lock)
			return
		}
		if !t.owns(le.config.Lock.Identity(), record) {
			return
		}
		now := metav1.NewTime(le.clock.Now())
		err = le.write(ctx, le.config.Lock.Update, resourcelock.LeaderElectionRecord{
			LeaderTransitions:    record.LeaderTransitions,
			LeaseDurationSeconds: 1,
			RenewTime:            now,
			AcquireTime:          now,
		})
		if err == nil {
			return
		}
		if !apierrors.IsConflict(err) {
			break
		}
		le.sleep(ctx, pause)
	}
	logger.Error(err, "Failed to release lease", "lock", lock)
}
