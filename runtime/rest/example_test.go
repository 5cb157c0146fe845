package rest_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/scheme"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/rest"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// A RESTClient sends requests to one group and version. Generated clients are built on it; use it directly for
// requests that they do not have.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"kind": "BookList", "apiVersion": "library.example.com/v1", "items": [
			{"metadata": {"name": "emma"}, "spec": {"title": "Emma", "pages": 474}}]}`)
	}))
	defer server.Close()

	client, err := rest.RESTClientFor(&rest.Config{
		Host:    server.URL,
		APIPath: "/apis",
		ContentConfig: rest.ContentConfig{
			GroupVersion:         &v1.SchemeGroupVersion,
			NegotiatedSerializer: codec.ForScheme(scheme.Scheme, scheme.Codecs),
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	var books v1.BookList
	err = client.Get().
		Namespace("default").
		Resource("books").
		VersionedParams(&metav1.ListOptions{LabelSelector: "genre=novel"}, scheme.ParameterCodec).
		DoInto(context.Background(), &books)
	if err != nil {
		log.Fatal(err)
	}
	for _, book := range books.Items {
		fmt.Printf("%s has %d pages\n", book.Spec.Title, book.Spec.Pages)
	}
	// Output:
	// GET /apis/library.example.com/v1/namespaces/default/books?labelSelector=genre%3Dnovel
	// Emma has 474 pages
}

// The error of a request is what the server responded.
func ExampleResult_Error() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404,
			"message": "books.library.example.com \"emma\" not found"}`)
	}))
	defer server.Close()

	client, err := rest.UnversionedRESTClientFor(&rest.Config{
		Host:          server.URL,
		ContentConfig: rest.ContentConfig{NegotiatedSerializer: codec.ForUnstructured()},
	})
	if err != nil {
		log.Fatal(err)
	}
	err = client.Get().AbsPath("/apis/library.example.com/v1/namespaces/default/books/emma").Do(context.Background()).Error()
	fmt.Println(err)
	fmt.Println(apierrors.IsNotFound(err), apierrors.IsForbidden(err))
	// Output:
	// books.library.example.com "emma" not found
	// true false
}

// The bytes of any path of a server can be read.
func ExampleRequest_DoRaw() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "ok, %s", r.UserAgent())
	}))
	defer server.Close()

	client, err := rest.UnversionedRESTClientFor(&rest.Config{
		Host:          server.URL,
		UserAgent:     "librarian",
		ContentConfig: rest.ContentConfig{NegotiatedSerializer: codec.ForUnstructured()},
	})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := client.Get().AbsPath("/readyz").DoRaw(context.Background())
	fmt.Println(string(answer), err)
	// Output: ok, librarian <nil>
}

// A watch delivers events until the server ends it or it is stopped.
func ExampleRequest_Watch() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"type": "ADDED", "object": {"kind": "Book", "apiVersion": "library.example.com/v1", "metadata": {"name": "emma"}}}
			{"type": "DELETED", "object": {"kind": "Book", "apiVersion": "library.example.com/v1", "metadata": {"name": "emma"}}}`)
	}))
	defer server.Close()

	client, err := rest.RESTClientFor(&rest.Config{
		Host:    server.URL,
		APIPath: "/apis",
		ContentConfig: rest.ContentConfig{
			GroupVersion:         &v1.SchemeGroupVersion,
			NegotiatedSerializer: codec.ForScheme(scheme.Scheme, scheme.Codecs),
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	watcher, err := client.Get().Namespace("default").Resource("books").
		VersionedParams(&metav1.ListOptions{Watch: true}, scheme.ParameterCodec).
		Watch(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer watcher.Stop()
	for event := range watcher.ResultChan() {
		fmt.Println(event.Type, event.Object.(*v1.Book).Name)
	}
	// Output:
	// ADDED emma
	// DELETED emma
}

// A config is printed without its credentials.
func ExampleConfig_String() {
	config := &rest.Config{Host: "https://example.com", BearerToken: "very secret"}
	fmt.Println(config)
	// Output: rest.Config{Host:"https://example.com", BearerToken:--- REDACTED ---}
}
