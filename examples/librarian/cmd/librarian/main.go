// Librarian runs the controller of package librarian, in its own cluster or with the API server in
// --server.
//
//	librarian [--server URL --token-file FILE --ca-file FILE] [--debug-address HOST:PORT]
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/listwatch/listwatch/examples/librarian"
	"github.com/listwatch/listwatch/examples/librarian/generated/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/debug"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/spf13/pflag"
)

func main() {
	server := pflag.String("server", "", "`URL` of the API server (default: the server of the cluster that the program runs in)")
	token := pflag.String("token-file", "", "`file` with the bearer token for --server")
	ca := pflag.String("ca-file", "", "`file` with the CA certificates for --server (default: the system's)")
	debugAddress := pflag.String("debug-address", "", "`host:port` of the informers' debug page (default: no page)")
	pflag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	config := &rest.Config{Host: *server, BearerTokenFile: *token, TLSClientConfig: rest.TLSClientConfig{CAFile: *ca}}
	if err := run(ctx, config, *debugAddress); err != nil {
		fmt.Fprintln(os.Stderr, "librarian:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, config *rest.Config, debugAddress string) error {
	if config.Host == "" {
		inCluster, err := rest.InClusterConfig()
		if err != nil {
			return fmt.Errorf("%w; outside of a cluster, use --server", err)
		}
		config = inCluster
	}
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return err
	}
	if debugAddress != "" {
		page := &http.Server{Addr: debugAddress, Handler: debug.Handler(), ReadHeaderTimeout: 10 * time.Second}
		defer func() { _ = page.Close() }()
		go func() {
			if ended := page.ListenAndServe(); !errors.Is(ended, http.ErrServerClosed) {
				slog.Error("no debug page", "error", ended)
			}
		}()
	}
	l, err := librarian.New(client, slog.Default())
	if err != nil {
		return err
	}
	return l.Run(ctx)
}
