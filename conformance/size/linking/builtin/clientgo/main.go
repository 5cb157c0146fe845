// A controller of built-in kinds, using client-go.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

func main() {
	if err := run(context.Background(), &rest.Config{Host: os.Args[1]}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run counts pods and deployments, and the bytes of the heap that they take.
func run(ctx context.Context, config *rest.Config) error {
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(clients, 0)
	pods, deployments := factory.Core().V1().Pods(), factory.Apps().V1().Deployments()
	added := 0
	if _, err = pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { added++ }}); err != nil {
		return err
	}
	deployed := deployments.Lister()
	factory.StartWithContext(ctx)
	if err = factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		return err
	}
	found, err := pods.Lister().Pods(corev1.NamespaceDefault).List(labels.Everything())
	if err != nil {
		return err
	}
	all, err := deployed.List(labels.Everything())
	if err != nil {
		return err
	}
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	fmt.Println(len(found), len(all), memory.HeapAlloc, memory.TotalAlloc)
	runtime.KeepAlive(factory)
	return nil
}
