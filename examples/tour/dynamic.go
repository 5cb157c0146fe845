package main

import (
	"context"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/rest"
)

// dynamicClient lists pods without their Go type: each object is a map.
func dynamicClient(ctx context.Context, config *rest.Config, out io.Writer) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	resource := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	pods, err := client.Resource(resource).Namespace("tour").List(ctx, metav1.ListOptions{LabelSelector: "app=web"})
	if err != nil {
		return err
	}
	for _, pod := range pods.Items {
		node, found, err := unstructured.NestedString(pod.Object, "spec", "nodeName")
		if err != nil || !found {
			return fmt.Errorf("pod %s has no node: %w", pod.GetName(), err)
		}
		fmt.Fprintln(out, pod.GetName(), "on", node)
	}
	return nil
}
