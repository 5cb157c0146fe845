package fake_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/dynamic/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

// The fake stores objects and records what is requested of it.
func Example() {
	ctx := context.Background()
	resource := schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"}
	client := fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(),
		map[schema.GroupVersionResource]string{resource: "BookList"},
		&unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "library.dev/v1",
			"kind":       "Book",
			"metadata":   map[string]any{"namespace": "default", "name": "emma"},
		}})

	list, err := client.Resource(resource).Namespace("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(list.GetKind(), list.Items[0].GetName())
	if err = client.Resource(resource).Namespace("default").Delete(ctx, "emma", metav1.DeleteOptions{}); err != nil {
		log.Fatal(err)
	}
	for _, action := range client.Actions() {
		fmt.Println(action.GetVerb(), action.GetResource().Resource)
	}
	// Output:
	// BookList emma
	// list books
	// delete books
}

// A reactor returns a result in place of the fake, for instance an error.
func ExampleFakeDynamicClient() {
	client := fake.NewSimpleDynamicClient(runtime.NewScheme())
	client.PrependReactor("get", "books", func(testing.Action) (bool, runtime.Object, error) {
		return true, nil, errors.New("the library is closed")
	})
	books := client.Resource(schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"})
	_, err := books.Namespace("default").Get(context.Background(), "emma", metav1.GetOptions{})
	fmt.Println(err)
	// Output: the library is closed
}
