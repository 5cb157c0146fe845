package metadata_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/metadata"
	"github.com/listwatch/listwatch/runtime/rest"
)

// A metadata client reads only the metadata of objects: the server sends no more.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "items": [
			{"metadata": {"name": "emma", "labels": {"genre": "novel"}}}]}`)
	}))
	defer server.Close()

	client, err := metadata.NewForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	books := client.Resource(schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"})
	list, err := books.Namespace("default").List(context.Background(), metav1.ListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, book := range list.Items {
		fmt.Println(book.Name, book.Labels)
	}
	// Output:
	// GET /apis/library.dev/v1/namespaces/default/books
	// emma map[genre:novel]
}
