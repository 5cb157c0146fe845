// Demo demonstrates the controller of package sites: it starts an API server in its own process, runs two replicas of
// the controller with the rights of its manifests, and creates, changes and deletes sites. `make demo` runs it.
//
//	demo [--wait]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	wait := flag.Bool("wait", false, "keep running at the end, until ^C, so that you can look around")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *wait); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		stop()
		os.Exit(1)
	}
}

// run sets up the demo, runs it, and stops everything.
func run(ctx context.Context, wait bool) (err error) {
	stage, err := open()
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
	if err := tell(limit, stage); err != nil {
		return err
	}
	fmt.Printf("\nThe informers' debug page: %s (--wait, or make demo WAIT=1, keeps it running)\n", stage.page)
	if wait {
		fmt.Println("Waiting for ^C.")
		<-ctx.Done()
	}
	return nil
}
