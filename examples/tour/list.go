package main

import (
	"context"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/rest"
)

// list lists nodes, namespaces and pods with the clientset: it has a method for each verb of each kind.
func list(ctx context.Context, config *rest.Config, out io.Writer) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, node := range nodes.Items {
		fmt.Fprintln(out, "node", node.Name)
	}
	namespaces, err := client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, namespace := range namespaces.Items {
		fmt.Fprintln(out, "namespace", namespace.Name)
	}
	// A limit pages through a large list; Continue of one page is the option for the next.
	options := metav1.ListOptions{Limit: 2}
	for {
		pods, err := client.CoreV1().Pods("tour").List(ctx, options)
		if err != nil {
			return err
		}
		for _, pod := range pods.Items {
			fmt.Fprintln(out, "pod", pod.Name, "on", pod.Spec.NodeName)
		}
		if options.Continue = pods.Continue; options.Continue == "" {
			return nil
		}
	}
}
