package leaderelection_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

// A program takes part in an election, works while it leads, and releases the lease at its end. Its health
// check fails if it goes on after its lease. Programs for a cluster get the lock from
// [resourcelock.NewFromKubeconfig].
func Example() {
	clientset := fake.NewClientset()
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, "default", "fleet", nil, clientset.CoordinationV1(),
		resourcelock.ResourceLockConfig{Identity: "replica-1"}) // usually the name of the pod
	if err != nil {
		fmt.Println(err)
		return
	}
	watchdog := leaderelection.NewLeaderHealthzAdaptor(20 * time.Second)
	healthz := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if unhealthy := watchdog.Check(r); unhealthy != nil {
			http.Error(w, unhealthy.Error(), http.StatusInternalServerError)
		}
	})

	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	defer cancel()
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Name:            "fleet",
		Lock:            lock,
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
		RetryPeriod:     2 * time.Second,
		ReleaseOnCancel: true,
		WatchDog:        watchdog,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				token, _ := leaderelection.FencingToken(ctx)
				fmt.Println("leading in term", token)
				response := httptest.NewRecorder()
				healthz(response, httptest.NewRequest(http.MethodGet, "/healthz", nil))
				fmt.Println("health:", response.Code)
				cancel() // a signal, for example
				<-ctx.Done()
				fmt.Println("work has ended")
			},
			OnStoppedLeading: func() { fmt.Println("stopped") },
		},
	})

	record, _, err := lock.Get(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("holder: %q\n", record.HolderIdentity)
	// Output:
	// leading in term 0
	// health: 200
	// work has ended
	// stopped
	// holder: ""
}
