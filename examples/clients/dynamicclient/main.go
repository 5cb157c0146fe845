// Dynamicclient lists books with a dynamic client: objects are maps, so that it needs no Go types.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/dynamic"
)

func main() {
	kubeconfig := flag.String("kubeconfig", clientcmd.RecommendedHomeFile, "kubeconfig file; empty in a pod")
	namespace := flag.String("namespace", "default", "namespace of the books")
	flag.Parse()
	if err := run(context.Background(), *kubeconfig, *namespace); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, kubeconfig, namespace string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	resource := schema.GroupVersionResource{Group: "library.example.com", Version: "v1", Resource: "books"}
	books, err := client.Resource(resource).Namespace(namespace).List(ctx, metav1.ListOptions{Limit: 100})
	if err != nil {
		return err
	}
	for _, book := range books.Items {
		title, _, err := unstructured.NestedString(book.Object, "spec", "title")
		if err != nil {
			return err
		}
		fmt.Printf("%s: %s\n", book.GetName(), title)
	}
	return nil
}
