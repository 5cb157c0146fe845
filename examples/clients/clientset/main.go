// Clientset lists books with a clientset that gen-all generated: it has a method for each verb of each kind.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/examples/librarian/generated/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/clientcmd"
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
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return err
	}
	books, err := client.LibraryV1().Books(namespace).List(ctx, metav1.ListOptions{Limit: 100})
	if err != nil {
		return err
	}
	for _, book := range books.Items {
		fmt.Printf("%s: %s\n", book.Name, book.Spec.Title)
	}
	return nil
}
