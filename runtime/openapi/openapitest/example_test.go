package openapitest_test

import (
	"fmt"
	"log"

	"github.com/listwatch/listwatch/runtime/openapi/openapitest"
)

// A test gives the client the documents that the code under test requests.
func Example() {
	client := openapitest.NewFakeClient()
	client.PathsMap["apis/library.dev/v1"] = openapitest.FakeGroupVersion{GVSpec: []byte(`{"openapi": "3.0.0"}`)}

	paths, err := client.Paths()
	if err != nil {
		log.Fatal(err)
	}
	document, err := paths["apis/library.dev/v1"].Schema("application/json")
	fmt.Println(string(document), err)
	// Output: {"openapi": "3.0.0"} <nil>
}
