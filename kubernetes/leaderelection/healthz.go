package leaderelection

import (
	"net/http"
	"sync/atomic"
	"time"
)

// HealthzAdaptor reports, to the health check of a program, a leader whose lease has ended, and which the
// kubelet should restart. It is created by [NewLeaderHealthzAdaptor] before the elector, and is safe for
// concurrent use.
type HealthzAdaptor struct {
	elector atomic.Pointer[LeaderElector]
	timeout time.Duration
}

// NewLeaderHealthzAdaptor returns an adaptor that reports a leader when its lease ended more than the given
// duration ago.
func NewLeaderHealthzAdaptor(timeout time.Duration) *HealthzAdaptor {
	return &HealthzAdaptor{timeout: timeout}
}

// Name returns the name of the check, leaderElection.
func (l *HealthzAdaptor) Name() string { return "leaderElection" }

// Check returns the error of [LeaderElector.Check], nil before there is an elector. The request is not used.
func (l *HealthzAdaptor) Check(*http.Request) error {
	if le := l.elector.Load(); le != nil {
		return le.Check(l.timeout)
	}
	return nil
}

// SetLeaderElection sets the elector that the adaptor reports on.
func (l *HealthzAdaptor) SetLeaderElection(le *LeaderElector) { l.elector.Store(le) }
