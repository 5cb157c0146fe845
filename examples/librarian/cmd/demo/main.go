// Demo demonstrates the controller of package librarian: it starts an API server in its own
// process, runs the controller, and creates, changes and deletes books and shelves. `make demo`
// runs it.
//
//	demo [--wait] [--crds DIRECTORY]
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/pflag"
)

func main() {
	wait := pflag.Bool("wait", false, "keep running at the end, until ^C, so that you can look around")
	crds := pflag.String("crds", "librarian/crds", "`directory` with the CRDs")
	pflag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *crds, *wait); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		stop()
		os.Exit(1)
	}
}

// run sets up the demo, runs it, and stops everything.
func run(ctx context.Context, crds string, wait bool) (err error) {
	stage, err := open(crds)
	if err != nil {
		return err
	}
	defer func() {
		begin := time.Now()
		err = errors.Join(err, stage.close())
		fmt.Printf("\nStopped everything in %s.\n", time.Since(begin).Round(time.Millisecond))
	}()

	limit, cancel := context.WithTimeoutCause(ctx, time.Minute, errors.New("the story takes more than a minute"))
	defer cancel()
	if err := tell(limit, stage.client); err != nil {
		return err
	}
	fmt.Printf("\nThe controller's debug page: %s (--wait, or make demo WAIT=1, keeps it running)\n", stage.page)
	if wait {
		fmt.Println("Waiting for ^C.")
		<-ctx.Done()
	}
	return nil
}
