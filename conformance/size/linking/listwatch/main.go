// A program with one clientset, using our own runtime.
package main

import (
	"context"
	"fmt"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clientset "github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/rest"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

func main() {
	if err := run(context.Background(), &rest.Config{Host: os.Args[1]}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run calls every method of books.
func run(ctx context.Context, config *rest.Config) error {
	clients, err := clientset.NewForConfig(config)
	if err != nil {
		return err
	}
	books := clients.LibraryV1().Books("default")
	book, err := books.Create(ctx, &libraryv1.Book{ObjectMeta: metav1.ObjectMeta{Name: "one"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if book, err = books.Get(ctx, book.Name, metav1.GetOptions{}); err != nil {
		return err
	}
	book.Labels = map[string]string{"read": "yes"}
	if _, err = books.Update(ctx, book, metav1.UpdateOptions{}); err != nil {
		return err
	}
	list, err := books.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	watch, err := books.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
	if err != nil {
		return err
	}
	defer watch.Stop()
	if err := books.Delete(ctx, book.Name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	fmt.Println(len(list.Items), (<-watch.ResultChan()).Type)
	return nil
}
