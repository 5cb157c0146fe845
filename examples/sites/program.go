package sites

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/listwatch/listwatch/examples/sites/generated/clientset/versioned"
	"github.com/listwatch/listwatch/examples/sites/generated/clientset/versioned/scheme"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/record"
	"github.com/listwatch/listwatch/kubernetes/shards"
	corev1client "github.com/listwatch/listwatch/kubernetes/typed/core/v1"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
)

// Options configure [Run]. All fields except Share, Metrics and OnJoin are required.
type Options struct {
	Namespace   string                   // of the leases and the directory
	Identity    string                   // of this replica in the leases
	Share       bool                     // whether all replicas work, each on its namespaces, in place of one that leads
	Workers     int                      // sites that are reconciled at the same time
	Lease       Lease                    // durations of leader election, or of the replicas that share
	StopTimeout time.Duration            // how long a stop waits for sites in progress
	Listener    net.Listener             // for /healthz, /readyz and /metrics; Run closes it
	Metrics     http.Handler             // for /metrics; nil serves none
	OnJoin      func(*shards.Ring) error // is called with the ring of replicas that share, for its metrics; may be nil
	Log         *slog.Logger
}

// flushTimeout is how long a stop waits for events that are not written yet.
const flushTimeout = 3 * time.Second

// Run runs a replica of the controller until ctx ends. Then it completes the sites in progress, releases its lease, and
// stops everything that it has started. It returns an error if the caches cannot be filled, and if the lease is lost:
// the process should end then, and be started again.
func Run(ctx context.Context, config *rest.Config, o Options) error {
	defer func() { _ = o.Listener.Close() }() // closed by the server already, if it was started
	config = rest.AddUserAgent(config, manager)

	// What is started here is stopped in reverse order, so that nothing is stopped while something else still uses it.
	// Therefore none of it ends with ctx, which ends first of all.
	background := context.WithoutCancel(ctx)

	config, ring, err := join(background, config, o)
	if ring != nil {
		defer func() { _ = ring.Leave(background) }() // when the informers have dropped what they have
	}
	if err != nil {
		return err
	}
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return err
	}
	cluster, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}

	watchdog := leaderelection.NewLeaderHealthzAdaptor(o.Lease.Duration)
	var synced gate
	server := serve(o, watchdog, ring, &synced)
	defer server.stop()

	broadcaster := record.NewBroadcaster(record.WithContext(background))
	sink := broadcaster.StartRecordingToSink(&corev1client.EventSinkImpl{Interface: cluster.CoreV1().Events("")})
	defer func() {
		broadcaster.Shutdown()
		select {
		case <-sink.ResultChan(): // the last events are written
		case <-time.After(flushTimeout):
		}
	}()
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: manager})

	controller, err := New(client, cluster, recorder, cache.NewObjectName(o.Namespace, "directory"), ring, o.Log)
	if err != nil {
		return err
	}
	defer controller.Close()
	if err = controller.Watch(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("fill caches: %w", err)
	}
	synced.open()
	if ring != nil {
		return share(ctx, ring, controller, o)
	}
	return lead(ctx, cluster, watchdog, o, func(term context.Context) { controller.Work(term, o.Workers, ctx.Done()) })
}
