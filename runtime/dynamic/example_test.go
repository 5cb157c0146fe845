package dynamic_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/rest"
)

// A dynamic client needs no Go types: it reads any resource of a server into maps.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"kind": "BookList", "apiVersion": "library.dev/v1", "items": [
			{"kind": "Book", "apiVersion": "library.dev/v1", "metadata": {"name": "emma"}, "spec": {"pages": 474}}]}`)
	}))
	defer server.Close()

	client, err := dynamic.NewForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	books := client.Resource(schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"})
	list, err := books.Namespace("default").List(context.Background(), metav1.ListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, book := range list.Items {
		pages, _, err := unstructured.NestedInt64(book.Object, "spec", "pages")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(book.GetKind(), book.GetName(), pages)
	}
	// Output:
	// GET /apis/library.dev/v1/namespaces/default/books
	// Book emma 474
}

// Server-side apply sends the fields that the caller wants, and leaves all others of the object as they are.
func ExampleResourceInterface_apply() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL)
		fields, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, "%s", fields) // a server returns the whole object
	}))
	defer server.Close()

	client, err := dynamic.NewForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	books := client.Resource(schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"})
	emma, err := books.Namespace("default").Apply(context.Background(), "emma", &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "library.dev/v1",
		"kind":       "Book",
		"metadata":   map[string]any{"name": "emma"},
		"spec":       map[string]any{"pages": int64(474)},
	}}, metav1.ApplyOptions{FieldManager: "librarian"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(emma.Object["spec"])
	// Output:
	// PATCH /apis/library.dev/v1/namespaces/default/books/emma?fieldManager=librarian&force=false
	// map[pages:474]
}
