package leaderelection_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	theirfake "k8s.io/client-go/kubernetes/fake"
	theirelection "k8s.io/client-go/tools/leaderelection"
	theirlock "k8s.io/client-go/tools/leaderelection/resourcelock"

	convert "github.com/listwatch/listwatch/clientgo/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

var meta = metav1.ObjectMeta{Namespace: "default", Name: "election"}

// An elector of client-go's leads by a lock of ours, and releases it.
func TestToLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewClientset()
		lock := &resourcelock.LeaseLock{LeaseMeta: meta, Client: client.CoordinationV1(), LockConfig: resourcelock.ResourceLockConfig{Identity: "a"}}
		ctx, cancel := context.WithCancel(t.Context())
		theirelection.RunOrDie(ctx, theirelection.LeaderElectionConfig{
			Lock: convert.ToLock(lock), LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, ReleaseOnCancel: true,
			Callbacks: theirelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) {
					lease, err := client.CoordinationV1().Leases("default").Get(t.Context(), "election", metav1.GetOptions{})
					expectHolder(t, lease, err, "a")
					cancel()
				},
				OnStoppedLeading: func() {},
			},
		})
		lease, err := client.CoordinationV1().Leases("default").Get(t.Context(), "election", metav1.GetOptions{})
		expectHolder(t, lease, err, "")
	})
}

// An elector of ours leads by a lock of client-go's, and releases it.
func TestFromLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := theirfake.NewClientset()
		lock := &theirlock.LeaseLock{LeaseMeta: meta, Client: client.CoordinationV1(), LockConfig: theirlock.ResourceLockConfig{Identity: "a"}}
		ctx, cancel := context.WithCancel(t.Context())
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock: convert.FromLock(lock), LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) {
					lease, err := client.CoordinationV1().Leases("default").Get(t.Context(), "election", metav1.GetOptions{})
					expectHolder(t, lease, err, "a")
					cancel()
				},
				OnStoppedLeading: func() {},
			},
		})
		lease, err := client.CoordinationV1().Leases("default").Get(t.Context(), "election", metav1.GetOptions{})
		expectHolder(t, lease, err, "")
	})
}

func expectHolder(t *testing.T, lease *coordinationv1.Lease, err error, want string) {
	t.Helper()
	if err != nil || lease.Spec.HolderIdentity == nil || *lease.Spec.HolderIdentity != want {
		t.Errorf("got %v, %v, expected the holder %q", lease, err, want)
	}
}

// Converting back what was converted returns the original, and nil stays nil.
func TestBack(t *testing.T) {
	ours, theirs := resourcelock.Interface(&resourcelock.LeaseLock{}), theirlock.Interface(&theirlock.LeaseLock{})
	if got := convert.FromLock(convert.ToLock(ours)); got != ours {
		t.Errorf("got %v", got)
	}
	if got := convert.ToLock(convert.FromLock(theirs)); got != theirs {
		t.Errorf("got %v", got)
	}
	if convert.ToLock(nil) != nil || convert.FromLock(nil) != nil {
		t.Error("nil became a lock")
	}
}
