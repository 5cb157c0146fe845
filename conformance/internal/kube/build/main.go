// Command build builds the real API server and etcd if they are missing, and prints their paths.
// Tests use them.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/listwatch/listwatch/conformance/internal/kube"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	binaries, err := kube.Shared(ctx)
	if err != nil {
		return err
	}
	fmt.Println(binaries.APIServer)
	fmt.Println(binaries.Etcd)
	return nil
}
