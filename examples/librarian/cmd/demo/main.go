// Demo tells a story: an API server starts in this process, a controller puts books on shelves,
// and their owner changes his mind. `make demo` runs it.
//
//	demo [--wait] [--crds FOLDER]
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
	wait := pflag.Bool("wait", false, "do not stop at the end, so that one can look around until ^C")
	crds := pflag.String("crds", "librarian/crds", "folder with the definitions of the custom resources")
	pflag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *crds, *wait); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		stop()
		os.Exit(1)
	}
}

// run starts what the story needs, tells it, and stops all again.
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
	fmt.Printf("\nWhat its informers hold, and how they are doing: %s (--wait keeps it there)\n", stage.page)
	if wait {
		fmt.Println("Waiting for ^C.")
		<-ctx.Done()
	}
	return nil
}
