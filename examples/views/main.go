// Views prints where the pods of a cluster run, from a cache that has only the fields that it needs. docs/guides/memory.md
// explains it.
//
//	views [--kubeconfig file]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/examples/views/generated/clientset/versioned"
	"github.com/listwatch/listwatch/examples/views/generated/informers/externalversions"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/clientcmd"
)

//go:generate go tool gen-all --output-dir generated --output-pkg github.com/listwatch/listwatch/examples/views/generated ./network

func main() {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	flag.StringVar(&rules.ExplicitPath, "kubeconfig", "", "kubeconfig `file` (default: as for kubectl, or the service account of a pod)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	var client *versioned.Clientset
	if err == nil {
		client, err = versioned.NewForConfig(config)
	}
	if err == nil {
		err = run(ctx, client, os.Stdout)
	}
	if err != nil {
		stop()
		log.Fatal(err)
	}
}

// run fills the cache and prints the pods that have addresses.
func run(ctx context.Context, client versioned.Interface, out io.Writer) error {
	factory := externalversions.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods()
	informer, lister := pods.Informer(), pods.Lister()

	ctx, stop := context.WithCancel(ctx)
	defer factory.Shutdown()
	defer stop()
	factory.StartWithContext(ctx)
	if err := cache.WaitForSync(ctx, informer); err != nil {
		return err
	}
	found, err := lister.List(labels.SelectorFromSet(labels.Set{"app": "shop"}))
	if err != nil {
		return err
	}
	for _, pod := range found {
		if pod.Status.PodIP != "" {
			fmt.Fprintf(out, "%s/%s: %s on %s\n", pod.Namespace, pod.Name, pod.Status.PodIP, pod.Spec.NodeName)
		}
	}
	return nil
}
