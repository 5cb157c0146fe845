// Sites runs a replica of the controller of package sites.
//
//	sites [--kubeconfig FILE] [--namespace NAME] [--address HOST:PORT] [--workers N] [--stop-timeout DURATION]
//	      [--replicas-share]
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/listwatch/listwatch/examples/sites"
	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/shards"
	listwatchmetrics "github.com/listwatch/listwatch/metrics/prometheus"
	"github.com/listwatch/listwatch/runtime/clientcmd"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig `file`; empty in a pod")
	address := flag.String("address", ":8080", "`host:port` of /healthz, /readyz, /metrics and /debug/ring")
	options := sites.Options{Lease: sites.DefaultLease, Log: slog.Default()}
	flag.StringVar(&options.Namespace, "namespace", "sites", "namespace of the leases and the directory")
	flag.IntVar(&options.Workers, "workers", 4, "sites that are reconciled at the same time")
	flag.DurationVar(&options.StopTimeout, "stop-timeout", 20*time.Second, "how long a stop waits for sites in progress")
	flag.BoolVar(&options.Share, "replicas-share", false, "let all replicas work, each on its namespaces, in place of one that leads")
	flag.Parse()
	if options.Share {
		options.Lease = sites.ShareLease
	}

	// The kubelet sends SIGTERM, and SIGKILL after terminationGracePeriodSeconds.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *kubeconfig, *address, options); err != nil {
		fmt.Fprintln(os.Stderr, "sites:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, kubeconfig, address string, options sites.Options) error {
	registry := prometheus.NewRegistry()
	if err := listwatchmetrics.Register(registry); err != nil { // before anything is created that is measured
		return err
	}
	election := listwatchmetrics.NewLeaderElection()
	if err := registry.Register(election); err != nil {
		return err
	}
	leaderelection.SetProvider(election)
	options.OnJoin = func(ring *shards.Ring) error { return registry.Register(listwatchmetrics.NewRings(ring)) }
	options.Metrics = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})

	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	if options.Identity = os.Getenv("POD_NAME"); options.Identity == "" {
		if options.Identity, err = os.Hostname(); err != nil {
			return err
		}
	}
	if options.Listener, err = net.Listen("tcp", address); err != nil {
		return err
	}
	return sites.Run(ctx, config, options)
}
