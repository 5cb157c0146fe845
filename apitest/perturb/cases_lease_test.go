package perturb_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clientgo "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

var identities atomic.Int64

// leading runs a controller while it leads. With survives, the controller goes on when the lease is lost.
func leading(survives bool, controller start) start {
	return func(ctx context.Context, config *clientgo.Config) error {
		kube, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		ended := make(chan error, 1)
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta:  metav1.ObjectMeta{Namespace: "default", Name: "leader"},
				Client:     kube.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: fmt.Sprint("replica-", identities.Add(1))},
			},
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(term context.Context) {
					if survives {
						term = ctx
					}
					ended <- controller(term, config)
				},
				OnStoppedLeading: func() {},
			},
		})
		if err != nil {
			return err
		}
		elector.Run(ctx)
		if !elector.IsLeader() && ctx.Err() != nil && len(ended) == 0 {
			return nil // it may never have led
		}
		if err := <-ended; err != nil {
			return err
		}
		return errors.New("the lease is lost")
	}
}

// leaseBugs show if the process loses its lease.
var leaseBugs = []bug{
	{
		name:   "work goes on after the lease is lost",
		users:  []step{ask("a"), ask("b")},
		wrong:  leading(true, process(createAll)),
		mended: leading(false, process(createAll)),
	},
}
