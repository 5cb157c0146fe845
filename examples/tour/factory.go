package main

import (
	"context"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/informers"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
)

// factory runs several informers in one namespace. Each kind is listed and watched once, however many use it.
func factory(ctx context.Context, config *rest.Config, out io.Writer) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace("tour"))
	defer factory.Shutdown() // waits for the informers, which cancel, called before it, stops
	defer cancel()
	// Start starts what was requested before: each call of Lister or Informer requests its kind.
	pods, services := factory.Core().V1().Pods().Lister(), factory.Core().V1().Services().Lister()
	deployments := factory.Apps().V1().Deployments().Informer()
	factory.StartWithContext(ctx)
	if err = factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		return err // names the kinds that have not synced, with their causes
	}
	web, err := pods.Pods("tour").List(labels.SelectorFromSet(labels.Set{"app": "web"}))
	if err != nil {
		return err
	}
	all, err := services.List(labels.Everything())
	if err != nil {
		return err
	}
	fmt.Fprintln(out, len(web), "web pods,", len(all), "services,", len(deployments.GetStore().List()), "deployments")
	fmt.Fprintln(out, "informer of deployments:", cache.StateOf(deployments).Phase)
	return nil
}
