package main

import (
	"context"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clientgodynamic "k8s.io/client-go/dynamic"
	clientgorest "k8s.io/client-go/rest"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
	"github.com/listwatch/listwatch/bench/internal/input"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/rest"
)

var machineResource = v1.SchemeGroupVersion.WithResource("machines")

func clientGoDynamic(transport http.RoundTripper) (dynamic.ResourceInterface, error) {
	client, err := clientgodynamic.NewForConfig(&clientgorest.Config{Host: memory, QPS: -1, Transport: transport})
	if err != nil {
		return nil, err
	}
	// The interfaces have the same methods.
	return client.Resource(machineResource).Namespace(input.Namespace), nil
}

func ourDynamic(transport http.RoundTripper) (dynamic.ResourceInterface, error) {
	client, err := dynamic.NewForConfig(&rest.Config{Host: memory, Transport: transport})
	if err != nil {
		return nil, err
	}
	return client.Resource(machineResource).Namespace(input.Namespace), nil
}

// untyped returns a dynamic client with an in-memory transport.
func untyped(do func(ctx context.Context, client dynamic.ResourceInterface, n int, see func(runtime.Object)) error) func(*contender, inputs) (run, error) {
	return func(c *contender, in inputs) (run, error) {
		client, err := c.dynamic(in.server)
		return func(n int, see func(runtime.Object)) (any, error) {
			return nil, do(context.Background(), client, n, see)
		}, err
	}
}

func getUntyped(ctx context.Context, client dynamic.ResourceInterface, n int, see func(runtime.Object)) error {
	for i := range n {
		object, err := client.Get(ctx, names[i%prepared], metav1.GetOptions{})
		if err != nil {
			return err
		}
		see(object)
	}
	return nil
}

func listUntyped(ctx context.Context, client dynamic.ResourceInterface, n int, see func(runtime.Object)) error {
	for left := n; left > 0; left -= listed {
		list, err := client.List(ctx, metav1.ListOptions{Limit: int64(min(left, listed))})
		if err != nil {
			return err
		}
		for i := range list.Items {
			see(&list.Items[i])
		}
	}
	return nil
}

func watchUntyped(ctx context.Context, client dynamic.ResourceInterface, n int, see func(runtime.Object)) error {
	w, err := client.Watch(ctx, metav1.ListOptions{Limit: int64(n)})
	if err != nil {
		return err
	}
	defer w.Stop()
	for event := range w.ResultChan() {
		if event.Type != watch.Modified {
			return fmt.Errorf("event %s: %v", event.Type, event.Object)
		}
		see(event.Object)
	}
	return nil
}
