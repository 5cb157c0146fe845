// A program with a kubeconfig and one clientset, using client-go.
package main

import (
	"context"
	"fmt"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clientset "github.com/listwatch/listwatch/golden/client-go/one-group/clientset/versioned"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run lists books.
func run(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	clients, err := clientset.NewForConfig(config)
	if err != nil {
		return err
	}
	list, err := clients.LibraryV1().Books("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	fmt.Println(len(list.Items))
	return nil
}
