package apply_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	fieldsv1ac "github.com/listwatch/listwatch/golden/apply/applyconfiguration/fields/v1"
	"github.com/listwatch/listwatch/runtime/apply"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/rest"
	fieldsv1 "github.com/listwatch/listwatch/testdata/apis/apply/fields/v1"
)

// NewRequest is for what generated clients have no method for, such as a subresource.
func ExampleNewRequest() {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Printf("%s %s\n%s\n", r.Method, r.URL, body)
	}))
	defer server.Close()

	client, err := rest.RESTClientFor(&rest.Config{
		Host:    server.URL,
		APIPath: "/apis",
		ContentConfig: rest.ContentConfig{
			GroupVersion:         &fieldsv1.SchemeGroupVersion,
			NegotiatedSerializer: codec.ForUnstructured(),
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	request, err := apply.NewRequest(client, fieldsv1ac.Field("north", "default").
		WithSpec(fieldsv1ac.FieldSpec().WithCrop("rye")))
	if err != nil {
		log.Fatal(err)
	}
	err = request.Namespace("default").Resource("fields").Name("north").Param("fieldManager", "farmer").Do(context.Background()).Error()
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// PATCH /apis/fields.example.com/v1/namespaces/default/fields/north?fieldManager=farmer
	// {"kind":"Field","apiVersion":"fields.example.com/v1","metadata":{"name":"north","namespace":"default"},"spec":{"crop":"rye"}}
}
