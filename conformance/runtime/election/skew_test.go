package election

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	theirfake "k8s.io/client-go/kubernetes/fake"
	theirs "k8s.io/client-go/tools/leaderelection"
	theirlock "k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	ourfake "github.com/listwatch/listwatch/kubernetes/fake"
	ours "github.com/listwatch/listwatch/kubernetes/leaderelection"
	ourlock "github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

// renewal is one of another leader, whose clock is wrong by skew.
type renewal struct{ after, skew time.Duration }

type resource = schema.GroupVersionResource

var leases = coordinationv1.SchemeGroupVersion.WithResource("leases")

// tracker stores the objects of a fake clientset.
type tracker interface {
	Get(gvr resource, namespace, name string, opts ...metav1.GetOptions) (runtime.Object, error)
	Update(gvr resource, obj runtime.Object, namespace string, opts ...metav1.UpdateOptions) error
}

// renew renews the lease of another leader.
func renew(t *testing.T, objects tracker, renewals []renewal) {
	for _, r := range renewals {
		time.Sleep(r.after)
		obj, err := objects.Get(leases, namespace, "lock")
		if err != nil {
			t.Error(err)
			return
		}
		lease := obj.(*coordinationv1.Lease).DeepCopy()
		if *lease.Spec.HolderIdentity != "other" {
			t.Error("the lease was taken from a leader that renews it")
			return
		}
		now := metav1.NewMicroTime(time.Now().Add(r.skew))
		lease.Spec.RenewTime = &now
		if err := objects.Update(leases, lease, namespace); err != nil {
			t.Error(err)
			return
		}
	}
}

// TestClocksOfOthers runs an elector of client-go's and one of ours beside a leader whose clock jumps, and which ends
// at last. Neither takes the lease before it has seen it unchanged for its whole duration, nor much later.
func TestClocksOfOthers(t *testing.T) {
	leaseOf := func() *coordinationv1.Lease {
		return &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "lock"}, Spec: *spec("other", 15, 1)}
	}
	const deadline, period = 10 * time.Second, 2 * time.Second
	// An elector looks at the lease after a period with a random addition. It may see the last renewal one such time late,
	// and that the lease has ended another.
	latest := 15*time.Second + 2*time.Duration((1+theirs.JitterFactor)*float64(period))
	for name, renewals := range map[string][]renewal{
		"none":          nil,
		"right":         {{10 * time.Second, 0}, {10 * time.Second, 0}},
		"ahead":         {{10 * time.Second, time.Hour}, {14 * time.Second, time.Hour}},
		"behind":        {{10 * time.Second, -time.Hour}, {14 * time.Second, -1000 * time.Hour}},
		"forth, back":   {{10 * time.Second, time.Hour}, {10 * time.Second, 0}, {10 * time.Second, -time.Hour}, {10 * time.Second, 24 * time.Hour}},
		"by a duration": {{10 * time.Second, 15 * time.Second}, {10 * time.Second, -15 * time.Second}, {10 * time.Second, 15 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			last := time.Duration(0)
			for _, r := range renewals {
				last += r.after
			}
			run := func(elect func(ctx context.Context, started func(), lost func(string)), objects tracker) (leads time.Duration, seen []string) {
				begin := time.Now()
				go renew(t, objects, renewals)
				ctx, cancel := context.WithTimeout(klog.NewContext(context.Background(), logr.Discard()), 5*time.Minute)
				defer cancel()
				var mu sync.Mutex // guards the results: client-go calls these functions in goroutines
				elect(ctx, func() {
					mu.Lock()
					defer mu.Unlock()
					leads = time.Since(begin)
				}, func(leader string) {
					mu.Lock()
					defer mu.Unlock()
					seen = append(seen, leader)
				})
				synctest.Wait()
				return leads, seen
			}
			var their, our time.Duration
			var theirSeen, ourSeen []string
			synctest.Test(t, func(t *testing.T) {
				clientset := theirfake.NewClientset(leaseOf())
				their, theirSeen = run(func(ctx context.Context, started func(), lost func(string)) {
					theirs.RunOrDie(ctx, theirs.LeaderElectionConfig{
						Lock: &theirlock.LeaseLock{
							LeaseMeta: metav1.ObjectMeta{Namespace: namespace, Name: "lock"}, Client: clientset.CoordinationV1(),
							LockConfig: theirlock.ResourceLockConfig{Identity: "me"},
						},
						LeaseDuration: 15 * time.Second, RenewDeadline: deadline, RetryPeriod: period,
						Callbacks: theirs.LeaderCallbacks{OnStartedLeading: func(context.Context) { started() }, OnStoppedLeading: func() {}, OnNewLeader: lost},
					})
				}, clientset.Tracker())
			})
			synctest.Test(t, func(t *testing.T) {
				clientset := ourfake.NewClientset(leaseOf())
				our, ourSeen = run(func(ctx context.Context, started func(), lost func(string)) {
					ours.RunOrDie(ctx, ours.LeaderElectionConfig{
						Lock: &ourlock.LeaseLock{
							LeaseMeta: metav1.ObjectMeta{Namespace: namespace, Name: "lock"}, Client: clientset.CoordinationV1(),
							LockConfig: ourlock.ResourceLockConfig{Identity: "me"},
						},
						LeaseDuration: 15 * time.Second, RenewDeadline: deadline, RetryPeriod: period,
						Callbacks: ours.LeaderCallbacks{OnStartedLeading: func(context.Context) { started() }, OnStoppedLeading: func() {}, OnNewLeader: lost},
					})
				}, clientset.Tracker())
			})
			for side, leads := range map[string]time.Duration{"client-go": their, "ours": our} {
				if leads < last+15*time.Second || leads > last+latest {
					t.Errorf("%s leads after %v, the last renewal was after %v", side, leads, last)
				}
			}
			if diff := cmp.Diff(theirSeen, ourSeen); diff != "" {
				t.Errorf("leaders seen, -client-go's +ours:\n%s", diff)
			}
		})
	}
}
