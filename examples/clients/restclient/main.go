// Restclient lists books with a REST client: it is given a path and a type, and knows neither kinds nor verbs.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/rest"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
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
	scheme := runtime.NewScheme()
	if err = libraryv1.AddToScheme(scheme); err != nil {
		return err
	}
	config.APIPath = "/apis" // "/api" for the core group
	config.GroupVersion = &schema.GroupVersion{Group: libraryv1.GroupName, Version: "v1"}
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	client, err := rest.RESTClientFor(config)
	if err != nil {
		return err
	}
	var books libraryv1.BookList
	err = client.Get().Namespace(namespace).Resource("books").Param("limit", "100").Do(ctx).Into(&books)
	if err != nil {
		return err
	}
	for _, book := range books.Items {
		fmt.Printf("%s: %s\n", book.Name, book.Spec.Title)
	}
	return nil
}
