// Shop runs the controller of databases.
//
//	shop [--kubeconfig file] [--workers number]
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/listwatch/listwatch/runtime/clientcmd"

	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig `file` (default: as for kubectl, or the service account of a pod)")
	workers := flag.Int("workers", 2, "`number` of databases that are reconciled at the same time")
	flag.Parse()

	// The kubelet ends a pod with SIGTERM.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *kubeconfig, *workers); err != nil {
		fmt.Fprintln(os.Stderr, "shop:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, kubeconfig string, workers int) error {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = kubeconfig
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err != nil {
		return err
	}
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return err
	}
	controller, err := NewController(client, slog.Default())
	if err != nil {
		return err
	}
	return controller.Run(ctx, workers)
}
