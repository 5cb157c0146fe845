package fake_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/scheme"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/rest/fake"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// A test of code that takes a rest.Interface gives it a client whose requests go to a function.
func ExampleCreateHTTPClient() {
	client := &fake.RESTClient{
		NegotiatedSerializer: codec.ForScheme(scheme.Scheme, scheme.Codecs),
		GroupVersion:         v1.SchemeGroupVersion,
		VersionedAPIPath:     "/apis/library.example.com/v1",
		Client: fake.CreateHTTPClient(func(r *http.Request) (*http.Response, error) {
			fmt.Println(r.Method, r.URL.Path)
			return &http.Response{
				StatusCode: http.StatusOK,
				Header:     http.Header{"Content-Type": {"application/json"}},
				Body:       io.NopCloser(strings.NewReader(`{"kind": "Book", "apiVersion": "library.example.com/v1", "metadata": {"name": "emma"}}`)),
			}, nil
		}),
	}

	var book v1.Book
	err := client.Get().Namespace("default").Resource("books").Name("emma").Do(context.Background()).Into(&book)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(book.Name)
	// Output:
	// GET /apis/library.example.com/v1/namespaces/default/books/emma
	// emma
}
