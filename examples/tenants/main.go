// Tenants prints the databases of some namespaces, and what happens to them. It needs permissions in these namespaces
// only. docs/guides/namespaces.md explains it.
//
//	tenants [--kubeconfig file] namespace ...
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/rest"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"

	storagev1 "github.com/listwatch/listwatch/examples/shop/apis/storage/v1"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/informers/externalversions"
)

// syncTimeout is the time to fill the cache.
const syncTimeout = time.Minute

func main() {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	flag.StringVar(&rules.ExplicitPath, "kubeconfig", "", "kubeconfig `file` (default: as for kubectl, or the service account of a pod)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err == nil {
		err = run(ctx, config, flag.Args(), os.Stdout)
	}
	if err != nil {
		stop()
		log.Fatal(err)
	}
}

// run prints until ctx ends. It returns an error if the cache cannot be filled.
func run(ctx context.Context, config *rest.Config, namespaces []string, out io.Writer) error {
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := externalversions.NewSharedInformerFactoryWithOptions(client, 0,
		externalversions.WithNamespaces(namespaces...)) // each is listed and watched separately
	databases := factory.Storage().V1().Databases()
	handler := cache.EnqueueFor(func(name cache.ObjectName, _ *storagev1.Database) { fmt.Fprintln(out, name) })
	if _, err := databases.TypedInformer().AddTypedEventHandler(handler); err != nil {
		return err
	}
	// Informers try again after every failure. That a permission is missing is not worth waiting for.
	filling, giveUp := context.WithTimeout(ctx, syncTimeout)
	defer giveUp()
	if err := databases.Informer().SetWatchErrorHandlerWithContext(func(_ context.Context, _ *cache.Reflector, err error) {
		if apierrors.IsForbidden(err) {
			giveUp()
		}
	}); err != nil {
		return err
	}

	watching, stop := context.WithCancel(ctx)
	defer factory.Shutdown()
	defer stop()
	factory.StartWithContext(watching)
	if err := factory.WaitForCacheSyncWithContext(filling).AsError(); err != nil {
		return err // names the kind and the namespace
	}

	for _, namespace := range namespaces { // reads one namespace, whatever the number of objects in the others
		all, err := databases.Lister().Databases(namespace).List(labels.Everything())
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %d databases\n", namespace, len(all))
	}
	<-ctx.Done()
	return nil
}
