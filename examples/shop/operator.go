package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
)

// leaseName is the name of the Lease of the leader. The markers below contain it too.
const leaseName = "shop-controller"

// Another replica takes over leaseDuration after the last renewal. The leader has stopped before, at renewDeadline.
const (
	leaseDuration = 15 * time.Second
	renewDeadline = 10 * time.Second
	retryPeriod   = 2 * time.Second
)

// The permissions for leader election, in config/rbac/role.yaml too.
//
// +kubebuilder:rbac:groups=coordination.k8s.io,namespace=shop-system,resources=leases,verbs=create
// +kubebuilder:rbac:groups=coordination.k8s.io,namespace=shop-system,resources=leases,resourceNames=shop-controller,verbs=get;update

// operator runs the controller in one of several replicas.
type operator struct {
	config    *rest.Config
	workers   int
	listener  net.Listener // for /healthz, /readyz and /metrics
	namespace string       // of the Lease
	identity  string       // of this replica in the Lease
}

// run waits until this replica leads, and runs the controller then, until ctx ends. It returns an error if the
// controller fails or the lease is lost: the process should end, and be started again.
func (o operator) run(ctx context.Context) error {
	client, err := versioned.NewForConfig(o.config)
	if err != nil {
		return err
	}
	controller, err := NewController(client, slog.Default())
	if err != nil {
		return err
	}
	defer controller.queue.ShutDown() // of a replica that never leads, too
	cluster, err := kubernetes.NewForConfig(o.config)
	if err != nil {
		return err
	}

	election, leave := context.WithCancel(ctx)
	defer leave()
	worked := make(chan error, 1)
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Name: leaseName,
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: o.namespace, Name: leaseName},
			Client:     cluster.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: o.identity},
		},
		LeaseDuration: leaseDuration, RenewDeadline: renewDeadline, RetryPeriod: retryPeriod,
		ReleaseOnCancel: true, // after the controller has stopped
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(term context.Context) {
				worked <- controller.Run(term, o.workers)
				leave()
			},
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return err
	}
	server := &http.Server{Handler: endpoints(elector, controller), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(o.listener) }() // without the endpoints, the kubelet ends the pod
	defer func() { _ = server.Close() }()

	elector.Run(election)
	if election.Err() == nil {
		return errors.New("the lease is lost") // the controller has been stopped, and may still be on its way
	}
	select {
	case err = <-worked:
	default: // never led
	}
	return err
}

// endpoints serves /healthz, which fails if this replica works on although its lease has ended, /readyz, which succeeds
// if it leads with a filled cache or follows another, and /metrics.
func endpoints(elector *leaderelection.LeaderElector, controller *Controller) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if err := elector.Check(leaseDuration); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		switch {
		case elector.GetLeader() == "":
			http.Error(w, "no leader is known", http.StatusServiceUnavailable)
		case elector.IsLeader() && !controller.Synced():
			http.Error(w, "the cache is not filled yet", http.StatusServiceUnavailable)
		}
	})
	mux.Handle("GET /metrics", promhttp.Handler())
	return mux
}
