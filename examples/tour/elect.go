package main

import (
	"context"
	"fmt"
	"io"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
	"github.com/listwatch/listwatch/runtime/rest"
)

// elect lets two candidates compete for one lease. The second leads when the first has released it.
func elect(ctx context.Context, config *rest.Config, out io.Writer) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	leases := client.CoordinationV1().Leases("tour")
	for _, identity := range []string{"one", "two"} {
		leading := make(chan string)
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta:  metav1.ObjectMeta{Namespace: "tour", Name: "leader"},
				Client:     client.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
			},
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 100 * time.Millisecond,
			ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(term context.Context) {
					number, _ := leaderelection.FencingToken(term)
					leading <- fmt.Sprint(identity, " leads, in term ", number)
				},
				OnStoppedLeading: func() {},
			},
		})
		if err != nil {
			return err
		}
		election, release := context.WithCancel(ctx)
		stopped := make(chan struct{})
		go func() { defer close(stopped); elector.Run(election) }()
		fmt.Fprintln(out, <-leading)
		release()
		<-stopped
	}
	return leases.Delete(ctx, "leader", metav1.DeleteOptions{})
}
