package corpus

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

// The durations of a lease.
const (
	LeaseDuration = 15 * time.Second
	RenewDeadline = 10 * time.Second
	RetryPeriod   = 2 * time.Second
)

// ErrLost is the result of a process that has lost its lease.
var ErrLost = errors.New("the lease is lost")

var identities atomic.Int64

// Identity returns the identity of another replica.
func Identity() string { return fmt.Sprint("replica-", identities.Add(1)) }

// Elect calls run with the context of a term of the elector of client-go. With beyond, run goes on after it, with ctx.
func Elect(ctx context.Context, config *clientgo.Config, beyond bool, run func(context.Context) error) error {
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: "default", Name: "leader"},
			Client:     kube.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: Identity()},
		},
		LeaseDuration: LeaseDuration, RenewDeadline: RenewDeadline, RetryPeriod: RetryPeriod,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(term context.Context) {
				if beyond {
					term = ctx
				}
				ended <- run(term)
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
	return ErrLost
}
