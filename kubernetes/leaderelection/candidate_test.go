package leaderelection_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	clienttesting "github.com/listwatch/listwatch/runtime/testing"
)

func TestCandidate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clientset := fake.NewClientset()
		failures := 2
		clientset.PrependReactor("create", "leasecandidates", func(clienttesting.Action) (bool, runtime.Object, error) {
			failures--
			return failures >= 0, nil, errors.New("internal error")
		})
		candidate, waiter, err := leaderelection.NewCandidate(clientset, "default", "me", "lease", "1.2.0", "1.1.0", coordinationv1.OldestEmulationVersion)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), logr.Discard()))
		done := make(chan struct{})
		go func() {
			defer close(done)
			candidate.Run(ctx)
		}()
		candidates := clientset.CoordinationV1beta1().LeaseCandidates("default")
		get := func() *coordinationv1beta1.LeaseCandidate {
			t.Helper()
			synctest.Wait()
			got, err := candidates.Get(t.Context(), "me", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		time.Sleep(time.Second) // two retries
		want := coordinationv1beta1.LeaseCandidateSpec{
			LeaseName: "lease", BinaryVersion: "1.2.0", EmulationVersion: "1.1.0", Strategy: coordinationv1.OldestEmulationVersion,
		}
		created := get()
		renewed := created.Spec.RenewTime
		created.Spec.RenewTime = nil
		if diff := cmp.Diff(want, created.Spec); diff != "" || renewed == nil {
			t.Errorf("renewed at %v, spec, -want +got:\n%s", renewed, diff)
		}
		synced := waiter.WaitForCacheSync(t.Context().Done())
		if !synced[reflect.TypeFor[*coordinationv1beta1.LeaseCandidate]()] {
			t.Errorf("synced is %v", synced)
		}

		time.Sleep(time.Minute)
		pinged := get()
		if !pinged.Spec.RenewTime.Equal(renewed) {
			t.Errorf("renewed at %v without a ping", pinged.Spec.RenewTime)
		}
		pinged.Spec.PingTime = &metav1.MicroTime{Time: time.Now()}
		if _, err := candidates.Update(t.Context(), pinged, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := get(); !got.Spec.RenewTime.Time.Equal(time.Now()) {
			t.Errorf("renewed at %v after a ping at %s", got.Spec.RenewTime, time.Now())
		}
		time.Sleep(5 * time.Minute)
		if got := get(); time.Since(got.Spec.RenewTime.Time) > 2*time.Minute {
			t.Errorf("renewed %s ago", time.Since(got.Spec.RenewTime.Time))
		}
		cancel()
		<-done
	})
}
