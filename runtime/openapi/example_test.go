package openapi_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/openapi"
	"github.com/listwatch/listwatch/runtime/rest"
)

// A server has an OpenAPI document for each group version.
func ExampleNewClient() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/openapi/v3" {
			fmt.Fprint(w, `{"paths": {"apis/library.dev/v1": {"serverRelativeURL": "/openapi/v3/apis/library.dev/v1?hash=1234"}}}`)
			return
		}
		fmt.Fprint(w, `{"openapi": "3.0.0", "info": {"title": "Library", "version": "v1"}}`)
	}))
	defer server.Close()

	restClient, err := rest.UnversionedRESTClientFor(&rest.Config{
		Host:          server.URL,
		ContentConfig: rest.ContentConfig{NegotiatedSerializer: codec.ForUnstructured()},
	})
	if err != nil {
		log.Fatal(err)
	}
	client := openapi.NewClient(restClient)
	paths, err := client.Paths()
	if err != nil {
		log.Fatal(err)
	}
	for path, version := range paths {
		document, err := version.Schema("application/json")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(path, version.ServerRelativeURL())
		fmt.Println(string(document))
	}
	// Output:
	// apis/library.dev/v1 /openapi/v3/apis/library.dev/v1?hash=1234
	// {"openapi": "3.0.0", "info": {"title": "Library", "version": "v1"}}
}
