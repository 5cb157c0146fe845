package sites

import (
	"context"
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

// Lease is the durations of leader election. Another replica takes over when the leader has not renewed its lease for
// Duration; the leader has stopped before, at Renew. It tries to renew every Retry.
type Lease struct{ Duration, Renew, Retry time.Duration }

// DefaultLease has the durations of Kubernetes' own components.
var DefaultLease = Lease{Duration: 15 * time.Second, Renew: 10 * time.Second, Retry: 2 * time.Second}

var errLeaseLost = errors.New("lease lost")

// lead waits until this replica leads, and then calls work, which should return soon after ctx has ended. The context of
// work is that of the term, which ends when the lease is lost: then another replica may lead, so that not even a
// request in progress should go on. The lease is released when work has returned, not before.
func lead(ctx context.Context, cluster kubernetes.Interface, watchdog *leaderelection.HealthzAdaptor, o Options, work func(term context.Context)) error {
	election, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	stopWaiting := context.AfterFunc(ctx, release) // a replica that does not lead ends at once

	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: o.Namespace, Name: manager},
			Client:     cluster.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: o.Identity},
		},
		LeaseDuration: o.Lease.Duration, RenewDeadline: o.Lease.Renew, RetryPeriod: o.Lease.Retry,
		ReleaseOnCancel: true,
		Name:            manager,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(term context.Context) {
				defer release()
				stopWaiting() // from now on, ctx stops the work, and its end the election
				o.Log.Info("Leading")
				work(limited(term, ctx, o.StopTimeout))
			},
			OnStoppedLeading: func() { o.Log.Info("Not leading") },
		},
	})
	if err != nil {
		return err
	}
	watchdog.SetLeaderElection(elector)
	elector.Run(election)
	if ctx.Err() == nil {
		return errLeaseLost
	}
	return nil
}

// limited returns a context that ends with term, or a while after stop has ended.
func limited(term, stop context.Context, timeout time.Duration) context.Context {
	ctx, cancel := context.WithCancel(term)
	context.AfterFunc(stop, func() { time.AfterFunc(timeout, cancel) })
	return ctx
}
