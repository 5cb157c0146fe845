package main

import (
	"context"
	"fmt"
	"io"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
)

// lowLevel runs an informer with one handler, without a factory: a reflector, a queue and a store in one.
func lowLevel(ctx context.Context, config *rest.Config, out io.Writer) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	events := make(chan string)
	source := cache.NewListWatchFromClient(client.AppsV1().RESTClient(), "deployments", "tour", fields.Everything())
	store, controller := cache.NewInformer(source, &appsv1.Deployment{}, 0, cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { events <- "added " + object.(*appsv1.Deployment).Name },
		UpdateFunc: func(old, object any) {
			events <- fmt.Sprint("updated to replicas ", *object.(*appsv1.Deployment).Spec.Replicas)
		},
		// The object of a missed deletion is a tombstone; this function accepts both.
		DeleteFunc: func(object any) {
			key, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
			events <- "deleted " + key
		},
	})
	ctx, cancel := context.WithCancel(ctx)
	stopped := make(chan struct{})
	go func() { defer close(stopped); controller.RunWithContext(ctx) }()
	defer func() { cancel(); <-stopped }()

	deployments := client.AppsV1().Deployments("tour")
	shop, err := deployments.Create(ctx, newDeployment("shop"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, <-events)
	shop.Spec.Replicas = new(int32(2))
	if _, err = deployments.Update(ctx, shop, metav1.UpdateOptions{}); err != nil {
		return err
	}
	fmt.Fprintln(out, <-events, store.ListKeys())
	if err = deployments.Delete(ctx, "shop", metav1.DeleteOptions{}); err != nil {
		return err
	}
	fmt.Fprintln(out, <-events, store.ListKeys())
	return nil
}
