package migration

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	theirrest "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/clientgo"
)

// TestShare holds that client-go's packages can record events and elect a leader through an HTTP
// client of the runtime.
func TestShare(t *testing.T) {
	server := embedded.Start(t)
	theirs, client, err := clientgo.Share(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	// The HTTP client authenticates, not the config.
	theirs.BearerToken, theirs.TLSClientConfig = "", theirrest.TLSClientConfig{}
	clientset, err := kubernetes.NewForConfigAndClient(theirs, client)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()

	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: clientset.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "test"})

	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, "default", "leader",
		clientset.CoreV1(), clientset.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: "first", EventRecorder: recorder})
	if err != nil {
		t.Fatal(err)
	}
	leading, stop := context.WithCancel(ctx)
	var led atomic.Bool
	leaderelection.RunOrDie(leading, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { led.Store(true); stop() },
			OnStoppedLeading: func() {},
		},
	})
	if !led.Load() {
		t.Error("did not lead")
	}
	lease, err := clientset.CoordinationV1().Leases("default").Get(ctx, "leader", metav1.GetOptions{})
	if err != nil || *lease.Spec.LeaseTransitions < 0 {
		t.Errorf("lease: %v, %v", lease, err)
	}
	// The event that the lock records arrives when the broadcaster sends it.
	events, err := clientset.CoreV1().Events("default").Watch(ctx, metav1.ListOptions{ResourceVersion: "0"})
	if err != nil {
		t.Fatal(err)
	}
	defer events.Stop()
	for event := range events.ResultChan() {
		if e, ok := event.Object.(*corev1.Event); ok && e.Reason == "LeaderElection" && e.Source.Component == "test" {
			return
		}
	}
	t.Error("no event was recorded")
}
