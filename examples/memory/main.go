// Memory watches the pods of a cluster with as little memory as it can, and prints what its cache has. docs/guides/memory.md
// explains it.
//
//	memory [--kubeconfig file]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/informers"
	"github.com/listwatch/listwatch/kubernetes/informers/internalinterfaces"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/metadata"
	"github.com/listwatch/listwatch/runtime/metadata/metadatainformer"
	"github.com/listwatch/listwatch/runtime/rest"
)

func main() {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	flag.StringVar(&rules.ExplicitPath, "kubeconfig", "", "kubeconfig `file` (default: as for kubectl, or the service account of a pod)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err == nil {
		err = run(ctx, config, os.Stdout)
	}
	if err != nil {
		stop()
		log.Fatal(err)
	}
}

// newPods returns a factory whose pods are those that run, with equal parts stored once and without managedFields.
func newPods(client kubernetes.Interface) informers.SharedInformerFactory {
	return informers.NewSharedInformerFactoryWithOptions(client, 0,
		informers.WithTransform(cache.DropManagedFields),
		informers.WithTypeOptions(&corev1.Pod{}, internalinterfaces.InformerOptions{
			FieldSelector: fields.OneTermEqualSelector("status.phase", string(corev1.PodRunning)),
			Share:         true, // only if nobody changes an object of the cache
		}))
}

// secrets is a resource of which the program needs names and labels only.
var secrets = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}

// run fills the caches and prints what they have.
func run(ctx context.Context, config *rest.Config, out io.Writer) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	metadataClient, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	factory, metadataFactory := newPods(client), metadatainformer.NewSharedInformerFactory(metadataClient, 0)
	pods, secrets := factory.Core().V1().Pods().Informer(), metadataFactory.ForResource(secrets).Informer()

	ctx, stop := context.WithCancel(ctx)
	defer metadataFactory.Shutdown()
	defer factory.Shutdown()
	defer stop()
	factory.StartWithContext(ctx)
	metadataFactory.Start(ctx.Done())
	if err := cache.WaitForSync(ctx, pods, secrets); err != nil {
		return err
	}
	fmt.Fprintf(out, "pods that run: %d\n", cache.StateOf(pods).Objects)
	fmt.Fprintf(out, "secrets, without their data: %d\n", cache.StateOf(secrets).Objects)
	return nil
}
