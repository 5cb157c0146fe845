package leaderelection

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

var (
	// errNotHolder reports that the lease is not the elector's, and that it may not acquire it.
	errNotHolder = errors.New("the lease is held by another, or not given to this replica")
	// errEndOfTerm reports that coordinated leader election prefers another holder.
	errEndOfTerm = errors.New("the lease has a preferred holder")
)

// attempt tries once to renew the lease, if the elector leads, or else to acquire it, and reports a new holder.
// Other errors than errNotHolder and errEndOfTerm are of requests.
func (le *LeaderElector) attempt(ctx context.Context) error {
	defer func() { le.notices.add(le.seen.record.HolderIdentity) }()
	if le.config.Coordinated {
		return le.attemptCoordinated(ctx)
	}
	return le.attemptPlain(ctx)
}

// attemptPlain acquires a lease that is free, has ended, or does not exist.
func (le *LeaderElector) attemptPlain(ctx context.Context) error {
	if le.term != nil {
		// Usually nobody else has changed the record.
		err := le.write(ctx, le.config.Lock.Update, le.renewal())
		if err == nil {
			return nil
		}
		klog.FromContext(ctx).V(2).Info("Failed to update lease optimistically, reading it", "lock", le.config.Lock.Describe(), "err", err)
	}
	exists, err := le.look(ctx)
	if err != nil {
		return err
	}
	write := le.config.Lock.Update
	if !exists {
		write = le.config.Lock.Create
	}
	switch {
	case le.term != nil && exists:
		if !le.term.owns(le.config.Lock.Identity(), &le.seen.record) {
			return errNotHolder
		}
		le.metrics.SlowpathExercised(le.config.Name)
		return le.write(ctx, write, le.renewal())
	case le.term != nil:
		return le.write(ctx, write, le.renewal())
	case le.leaseLeft() > 0:
		return errNotHolder
	}
	return le.write(ctx, write, le.takeover())
}

// attemptCoordinated never takes a lease: it renews one whose holder it has become.
func (le *LeaderElector) attemptCoordinated(ctx context.Context) error {
	exists, err := le.look(ctx)
	identity := le.config.Lock.Identity()
	switch record := le.seen.record; {
	case err != nil:
		return err
	case !exists, record.HolderIdentity != identity, le.term != nil && !le.term.owns(identity, &record):
		return errNotHolder
	case record.PreferredHolder != "":
		return errEndOfTerm
	case le.term == nil && le.clock.Since(le.seen.at) >= seconds(record.LeaseDurationSeconds):
		return errNotHolder
	}
	if le.term != nil {
		le.metrics.SlowpathExercised(le.config.Name)
	}
	return le.write(ctx, le.config.Lock.Update, le.renewal())
}

// look reads the record, and reports whether it exists. If it does not, the newest record stays what it was.
func (le *LeaderElector) look(ctx context.Context) (exists bool, err error) {
	record, raw, err := le.config.Lock.Get(ctx)
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read the lease: %w", err)
	}
	if bytes.Equal(raw, le.seen.raw) {
		return true, nil
	}
	at := le.clock.Now()
	if le.term != nil && le.term.owns(le.config.Lock.Identity(), record) {
		at = le.seen.at // only a successful renewal extends a term
	}
	le.see(observation{*record, raw, at})
	return true, nil
}

// leaseLeft returns how long a candidate must wait for another's lease, zero or less if it may acquire it.
func (le *LeaderElector) leaseLeft() time.Duration {
	record := &le.seen.record
	if record.HolderIdentity == "" || record.HolderIdentity == le.config.Lock.Identity() {
		return 0
	}
	return seconds(record.LeaseDurationSeconds) - le.clock.Since(le.seen.at)
}

// renewal returns the next record of the holder of the newest one.
func (le *LeaderElector) renewal() resourcelock.LeaderElectionRecord {
	last := &le.seen.record
	now := le.clock.Now()
	if !now.Truncate(time.Microsecond).After(last.RenewTime.Truncate(time.Microsecond)) {
		// The wall clock was set back: in a Lease, which has microseconds, the renewal would not show.
		// Some implementations compare seconds.
		now = last.RenewTime.Add(time.Second)
	}
	next := le.record(now)
	next.AcquireTime = last.AcquireTime
	next.LeaderTransitions = last.LeaderTransitions
	next.Strategy = last.Strategy
	return next
}

// takeover returns the first record of a term.
func (le *LeaderElector) takeover() resourcelock.LeaderElectionRecord {
	first := le.record(le.clock.Now())
	if !le.seen.at.IsZero() {
		first.LeaderTransitions = le.seen.record.LeaderTransitions + 1
	}
	return first
}

func (le *LeaderElector) record(now time.Time) resourcelock.LeaderElectionRecord {
	return resourcelock.LeaderElectionRecord{
		HolderIdentity: le.config.Lock.Identity(),
		// Rounded up: the others must not wait for less than LeaseDuration.
		LeaseDurationSeconds: int((le.config.LeaseDuration + time.Second - 1) / time.Second),
		AcquireTime:          metav1.NewTime(now),
		RenewTime:            metav1.NewTime(now),
	}
}

// write stores a record by the Create or the Update of the lock.
func (le *LeaderElector) write(ctx context.Context, by func(context.Context, resourcelock.LeaderElectionRecord) error, record resourcelock.LeaderElectionRecord) error {
	sent := le.clock.Now()
	if err := by(ctx, record); err != nil {
		return fmt.Errorf("write the lease: %w", err)
	}
	le.see(observation{record: record, at: sent})
	return nil
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }
