package leaderelection

import (
	"context"
	"errors"
	"time"

	"k8s.io/utils/clock"

	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

// JitterFactor is by how much of RetryPeriod, at most, a candidate extends its pauses.
const JitterFactor = 1.2

// LeaderElectionConfig configures a [LeaderElector].
type LeaderElectionConfig struct { //nolint:revive // the name in client-go
	// Lock stores the record. It must not be used by anything else.
	Lock resourcelock.Interface

	// LeaseDuration is how long the others wait, since they last saw the lease renewed, before they acquire
	// it. Kubernetes' components use 15 seconds. The record has whole seconds, and is rounded up.
	LeaseDuration time.Duration
	// RenewDeadline is how long a term lasts after the last successful renewal; in place of client-go, after the
	// beginning of the next attempt. It must be less than LeaseDuration: their ratio is how much faster than another
	// a replica's clock may run. Kubernetes' components use 10 seconds.
	RenewDeadline time.Duration
	// RetryPeriod is the pause between attempts. RenewDeadline must be more than JitterFactor times as long.
	// Kubernetes' components use 2 seconds.
	RetryPeriod time.Duration

	// Callbacks are called when terms begin and end.
	Callbacks LeaderCallbacks

	// WatchDog, if set, reports on the elector. Only RunOrDie sets its elector; others call its
	// SetLeaderElection.
	WatchDog *HealthzAdaptor

	// ReleaseOnCancel lets others acquire the lease immediately when the context of Run is cancelled, or when
	// a coordinated term ends.
	//
	// The elector first waits for OnStartedLeading to return, at most until its term would have ended. If it
	// has not returned then, or if the lease could not be renewed, the lease is not released, and expires.
	// Work that OnStartedLeading has started and does not wait for must have ended before the context is
	// cancelled.
	ReleaseOnCancel bool

	// Name identifies the elector in metrics and in the error of Check.
	Name string

	// Coordinated leaves the choice of the leader to Kubernetes: the elector only renews a lease that has been
	// given to it, and stops when the record has a preferred holder. See NewCandidate.
	Coordinated bool

	// Clock is the source of time; nil means the real clock. Its Since and its timers must not be affected
	// when Now jumps, which holds for the real clock. Tests in synctest need no clock.
	Clock clock.WithDelayedExecution
	// Random returns a number in [0, 1), and is called by one goroutine at a time; nil means
	// math/rand/v2.Float64.
	Random func() float64
}

// LeaderCallbacks are called by [LeaderElector.Run].
type LeaderCallbacks struct {
	// OnStartedLeading is called in its own goroutine when a term begins. The context is cancelled when the
	// term ends, or when the context of Run is: the callback should return then. Run does not wait for it,
	// except before it releases the lease.
	OnStartedLeading func(context.Context)
	// OnStoppedLeading is called before Run returns, even if there was no term.
	OnStoppedLeading func()
	// OnNewLeader, which is optional, is called with the holder whenever the elector sees another one in the
	// record, itself included. The holder is empty if the lease was released. Calls are made in order, one at
	// a time, in another goroutine, which may go on after Run has returned.
	OnNewLeader func(identity string)
}

// validate has the error texts of client-go.
func (c *LeaderElectionConfig) validate() error {
	switch {
	case c.LeaseDuration <= c.RenewDeadline:
		return errors.New("leaseDuration must be greater than renewDeadline")
	case c.RenewDeadline <= time.Duration(JitterFactor*float64(c.RetryPeriod)):
		return errors.New("renewDeadline must be greater than retryPeriod*JitterFactor")
	case c.LeaseDuration < 1:
		return errors.New("leaseDuration must be greater than zero")
	case c.RenewDeadline < 1:
		return errors.New("renewDeadline must be greater than zero")
	case c.RetryPeriod < 1:
		return errors.New("retryPeriod must be greater than zero")
	case c.Callbacks.OnStartedLeading == nil:
		return errors.New("OnStartedLeading callback must not be nil")
	case c.Callbacks.OnStoppedLeading == nil:
		return errors.New("OnStoppedLeading callback must not be nil")
	case c.Lock == nil:
		return errors.New("Lock must not be nil.") //nolint:revive,staticcheck // the text of client-go
	case c.Lock.Identity() == "":
		return errors.New("Lock identity is empty") //nolint:staticcheck // the text of client-go
	}
	return nil
}
