// Tour is the programs of docs/tour.md: each shows one part of listwatch.
//
//	tour [--kubeconfig FILE] PROGRAM
//
// Run create first: it creates the objects that the other programs read, in namespace tour. Each program is one
// function in the file of its name. It takes the client configuration that main has loaded, and prints to out.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/rest"
)

var programs = map[string]func(ctx context.Context, config *rest.Config, out io.Writer) error{
	"create":     create,
	"rest":       restClient,
	"list":       list,
	"deployment": deployment,
	"dynamic":    dynamicClient,
	"discovery":  discover,
	"watch":      watchRaw,
	"reflector":  reflector,
	"queue":      deltas,
	"indexer":    indexer,
	"informer":   lowLevel,
	"shared":     shared,
	"nodes":      nodes,
	"factory":    factory,
	"workqueue":  work,
	"events":     events,
	"elect":      elect,
}

func main() {
	kubeconfig := flag.String("kubeconfig", clientcmd.RecommendedHomeFile, "kubeconfig `file`; empty in a pod")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *kubeconfig, flag.Args(), os.Stdout); err != nil {
		stop()
		log.Fatal(err)
	}
}

// run runs the program that args name.
func run(ctx context.Context, kubeconfig string, args []string, out io.Writer) error {
	if len(args) != 1 || programs[args[0]] == nil {
		return fmt.Errorf("got arguments %q, want one of: %s", args, strings.Join(slices.Sorted(maps.Keys(programs)), " "))
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	return programs[args[0]](ctx, config, out)
}
