package leaderelection_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// The renew deadline counts from the attempt after the last successful renewal.
func TestRenewDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewClientset()
		var last time.Time // of the successful renewals
		begin := time.Now()
		client.PrependReactor("update", "leases", func(clienttesting.Action) (bool, runtime.Object, error) {
			if time.Since(begin) > time.Minute {
				return true, nil, errors.New("no connection")
			}
			last = time.Now()
			return false, nil, nil
		})
		var stopped time.Time
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta: metav1.ObjectMeta{Namespace: "n", Name: "lease"}, Client: client.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: "me"},
			},
			LeaseDuration: 15 * time.Second,
			RenewDeadline: 10 * time.Second,
			RetryPeriod:   2 * time.Second,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(ctx context.Context) { <-ctx.Done(); stopped = time.Now() },
				OnStoppedLeading: func() {},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(time.Minute + 11*time.Second)
			if !elector.IsLeader() {
				t.Error("not the leader 11 seconds into the outage")
			}
		}()
		elector.Run(t.Context())
		synctest.Wait()
		if got := stopped.Sub(last); got != 12*time.Second {
			t.Errorf("stopped %v after the last renewal, want after RetryPeriod and RenewDeadline", got)
		}
	})
}
