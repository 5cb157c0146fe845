package main

import (
	"context"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/rest"
)

// restClient lists pods with the client below all others: it knows paths, and types to decode into.
func restClient(ctx context.Context, config *rest.Config, out io.Writer) error {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return err
	}
	config.APIPath = "/api" // "/apis" for all groups except the core group
	config.GroupVersion = &corev1.SchemeGroupVersion
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	client, err := rest.RESTClientFor(config)
	if err != nil {
		return err
	}
	request := client.Get().Namespace("tour").Resource("pods").Param("labelSelector", "app=web")
	fmt.Fprintln(out, "GET", request.URL().RequestURI())
	var pods corev1.PodList
	if err := request.Do(ctx).Into(&pods); err != nil {
		return err
	}
	for _, pod := range pods.Items {
		fmt.Fprintln(out, pod.Name, "on", pod.Spec.NodeName)
	}
	return nil
}
