package gentype_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	libraryscheme "github.com/listwatch/listwatch/golden/one-group/clientset/versioned/scheme"
	"github.com/listwatch/listwatch/runtime/gentype"
	"github.com/listwatch/listwatch/runtime/rest"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// A typed client of a kind needs no generated code, only the kind's Go types in a libraryscheme.
func ExampleFor() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"kind": "BookList", "apiVersion": "library.example.com/v1", "items": [{"metadata": {"name": "emma"}}]}`)
	}))
	defer server.Close()

	group := gentype.NewGroup(v1.SchemeGroupVersion, "/apis", libraryscheme.Scheme, libraryscheme.Codecs)
	config := &rest.Config{Host: server.URL}
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		log.Fatal(err)
	}
	client, err := group.RESTClient(config, httpClient)
	if err != nil {
		log.Fatal(err)
	}
	books := gentype.For[*v1.Book, *v1.BookList](client, libraryscheme.ParameterCodec, "books", "default")
	list, err := books.List(context.Background(), metav1.ListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(list.Items[0].Name)
	// Output:
	// GET /apis/library.example.com/v1/namespaces/default/books
	// emma
}

// Pages lists page by page, so that neither server nor program needs memory for all objects at once.
func ExamplePages() {
	client := fake.NewClientset(
		&v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}},
		&v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "persuasion"}},
	)
	books := client.LibraryV1().Books("default")
	for book, err := range gentype.Pages(context.Background(), books, metav1.ListOptions{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(book.Name)
	}
	// Output:
	// emma
	// persuasion
}

// Events watches with typed objects. Leaving the loop stops the watch.
func ExampleEvents() {
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}}
	books := fake.NewClientset(emma).LibraryV1().Books("default")
	ctx := context.Background()
	list, err := books.List(ctx, metav1.ListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if err = books.Delete(ctx, "emma", metav1.DeleteOptions{}); err != nil {
		log.Fatal(err)
	}

	since := metav1.ListOptions{ResourceVersion: list.ResourceVersion}
	for event, err := range gentype.Events(ctx, books, since) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(event.Type, event.Object.Name)
		break
	}
	// Output: DELETED emma
}
