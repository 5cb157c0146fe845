package leaderelection

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
	"github.com/listwatch/listwatch/runtime/compat"
)

// LeaderElector takes part in an election. [LeaderElector.Run] may be called again when it has returned; the
// other methods are safe for concurrent use.
type LeaderElector struct {
	config  LeaderElectionConfig
	clock   clock.WithDelayedExecution
	random  func() float64
	metrics LeaderMetric
	notices notices

	// mu guards the fields below. Only the goroutine of Run changes them, so it reads them without mu.
	mu   sync.RWMutex
	seen observation
	term *term // nil if the elector does not lead
}

// observation is the newest record that an elector has seen.
type observation struct {
	record resourcelock.LeaderElectionRecord
	raw    []byte // nil if the elector wrote the record
	// at is when the elector received the record, or if it wrote it, when it sent it. Both are on the safe
	// side: it waits for a lease no shorter, and holds one no longer, than it may.
	at time.Time
}

// NewLeaderElector returns an elector that does nothing before it runs. It returns an error if the config is
// invalid.
func NewLeaderElector(lec LeaderElectionConfig) (*LeaderElector, error) {
	if err := lec.validate(); err != nil {
		return nil, err
	}
	le := &LeaderElector{
		config:  lec,
		clock:   lec.Clock,
		random:  lec.Random,
		metrics: newLeaderMetric(),
		notices: notices{call: lec.Callbacks.OnNewLeader},
	}
	if le.clock == nil {
		le.clock = clock.RealClock{}
	}
	if le.random == nil {
		le.random = rand.Float64
	}
	le.metrics.Off(lec.Name)
	return le, nil
}

// RunOrDie runs an elector until ctx is done or its term has ended. It panics if the config is invalid.
func RunOrDie(ctx context.Context, lec LeaderElectionConfig) {
	le, err := NewLeaderElector(lec)
	if err != nil {
		panic(err)
	}
	if lec.WatchDog != nil {
		lec.WatchDog.SetLeaderElection(le)
	}
	le.Run(ctx)
}

// GetLeader returns the holder in the newest record that the elector has seen, or the empty string. It is for
// information: the holder's lease may have ended.
func (le *LeaderElector) GetLeader() string {
	le.mu.RLock()
	defer le.mu.RUnlock()
	return le.seen.record.HolderIdentity
}

// IsLeader reports whether the elector holds the lease. Unlike in client-go, it is false as soon as
// RenewDeadline has passed since the last successful renewal; if [compat.IsClientGo], as soon as the term has ended.
func (le *LeaderElector) IsLeader() bool {
	le.mu.RLock()
	defer le.mu.RUnlock()
	return le.term != nil && le.inTime(le.seen.at)
}

// Check returns an error if the lease of a leader ended more than the given duration ago, and nobody has
// acquired it since as far as the elector knows. The process should have exited by then.
func (le *LeaderElector) Check(maxTolerableExpiredLease time.Duration) error {
	le.mu.RLock()
	defer le.mu.RUnlock()
	if le.seen.record.HolderIdentity != le.config.Lock.Identity() {
		return nil
	}
	if le.clock.Since(le.seen.at) > le.config.LeaseDuration+maxTolerableExpiredLease {
		return fmt.Errorf("failed election to renew leadership on lease %s", le.config.Name)
	}
	return nil
}

// inTime reports whether a renewal that was sent at a time is recent enough for its term to go on.
func (le *LeaderElector) inTime(sent time.Time) bool {
	return compat.IsClientGo() || le.clock.Since(sent) < le.config.RenewDeadline
}

// see sets the newest record.
func (le *LeaderElector) see(seen observation) {
	le.mu.Lock()
	defer le.mu.Unlock()
	le.seen = seen
}

// lead sets the term, nil if it has ended.
func (le *LeaderElector) lead(t *term) {
	le.mu.Lock()
	defer le.mu.Unlock()
	le.term = t
}
