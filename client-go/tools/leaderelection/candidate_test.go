package leaderelection_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/leaderelection"
)

// A candidate writes its LeaseCandidate with the module's clientset. No goroutine is left: otherwise synctest fails.
func TestNewCandidate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewClientset()
		candidate, waiter, err := leaderelection.NewCandidate(client, "n", "me", "lease", "1.30.0", "1.29.0", coordinationv1.OldestEmulationVersion)
		if err != nil {
			t.Fatal(err)
		}
		if waiter == nil {
			t.Error("no waiter")
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			candidate.Run(ctx)
		}()
		time.Sleep(time.Minute)
		got, err := client.CoordinationV1beta1().LeaseCandidates("n").Get(ctx, "me", metav1.GetOptions{})
		if err != nil || got.Spec.LeaseName != "lease" || got.Spec.BinaryVersion != "1.30.0" || got.Spec.EmulationVersion != "1.29.0" {
			t.Errorf("candidate %+v, %v", got, err)
		}
		cancel()
		<-done
	})
}
