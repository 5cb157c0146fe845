// Shop runs the controller of databases. Of several replicas, one leads, and the others wait to take over.
//
//	shop [--kubeconfig file] [--workers number] [--address host:port] [--namespace name]
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	listwatchmetrics "github.com/listwatch/listwatch/metrics/prometheus"
	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/prometheus/client_golang/prometheus"
)

func main() {
	var o operator
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig `file` (default: as for kubectl, or the service account of a pod)")
	address := flag.String("address", ":8080", "`host:port` of /healthz, /readyz and /metrics")
	flag.IntVar(&o.workers, "workers", 2, "`number` of databases that are reconciled at the same time")
	flag.StringVar(&o.namespace, "namespace", "default", "`name` of the namespace in which the replicas elect their leader")
	flag.Parse()

	// The kubelet ends a pod with SIGTERM.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o, *kubeconfig, *address); err != nil {
		fmt.Fprintln(os.Stderr, "shop:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, o operator, kubeconfig, address string) error {
	if err := measure(prometheus.DefaultRegisterer); err != nil { // before anything is created that is measured
		return err
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = kubeconfig
	var err error
	if o.config, err = clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig(); err != nil {
		return err
	}
	if o.identity, err = os.Hostname(); err != nil { // in a pod, its name
		return err
	}
	if o.listener, err = net.Listen("tcp", address); err != nil {
		return err
	}
	return o.run(ctx)
}

// measure registers the metrics of clients, queues, informers and leader election.
func measure(registerer prometheus.Registerer) error {
	if err := listwatchmetrics.Register(registerer); err != nil {
		return err
	}
	election := listwatchmetrics.NewLeaderElection()
	leaderelection.SetProvider(election)
	return registerer.Register(election)
}
