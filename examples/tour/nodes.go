package main

import (
	"context"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/informers"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
)

// nodes reads nodes from the memory of an informer, and waits there for its own write.
func nodes(ctx context.Context, config *rest.Config, out io.Writer) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	factory := informers.NewSharedInformerFactory(client, 0)
	defer factory.Shutdown()
	defer cancel()
	informer, lister := factory.Core().V1().Nodes().Informer(), factory.Core().V1().Nodes().Lister()
	factory.StartWithContext(ctx)
	if err = factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		return err
	}
	all, err := lister.List(labels.Everything()) // no request
	if err != nil {
		return err
	}
	fmt.Fprintln(out, len(all), "nodes")

	third := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "tour-node-c"}}
	if third, err = client.CoreV1().Nodes().Create(ctx, third, metav1.CreateOptions{}); err != nil {
		return err
	}
	// The lister lags behind the server by what is on its way.
	if err = cache.WaitForObject(ctx, informer, third); err != nil {
		return err
	}
	node, err := lister.Get("tour-node-c")
	if err != nil {
		return err
	}
	// Objects of a lister are shared with all its readers: make a copy to change one.
	node = node.DeepCopy()
	node.Labels = map[string]string{"changed": "here"}
	fmt.Fprintln(out, node.Name, "is in the lister")
	return client.CoreV1().Nodes().Delete(ctx, "tour-node-c", metav1.DeleteOptions{})
}
