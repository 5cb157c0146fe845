package main

import (
	"context"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
)

// indexer finds the pods of a node without looking at all pods.
func indexer(ctx context.Context, config *rest.Config, out io.Writer) error {
	const byNode = "node"
	store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		byNode:               func(object any) ([]string, error) { return []string{object.(*corev1.Pod).Spec.NodeName}, nil },
	})
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	pods, err := client.CoreV1().Pods("tour").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range pods.Items {
		if err = store.Add(&pods.Items[i]); err != nil {
			return err
		}
	}
	for _, node := range []string{"tour-node-a", "tour-node-b"} {
		keys, failed := store.IndexKeys(byNode, node)
		if failed != nil {
			return failed
		}
		fmt.Fprintln(out, node, "runs", len(keys))
	}
	object, exists, err := store.GetByKey("tour/db-1")
	if err != nil || !exists {
		return fmt.Errorf("tour/db-1 is not stored: %w", err)
	}
	fmt.Fprintln(out, "tour/db-1 has image", object.(*corev1.Pod).Spec.Containers[0].Image)
	return nil
}
