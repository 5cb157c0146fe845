package cached_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/listwatch/listwatch/runtime/openapi/cached"
	"github.com/listwatch/listwatch/runtime/openapi/openapitest"
)

// What was requested once is not requested again.
func ExampleNewClient() {
	server := openapitest.NewFakeClient() // in a program, openapi.NewClient
	server.PathsMap["apis/library.dev/v1"] = openapitest.FakeGroupVersion{GVSpec: []byte(`{"openapi": "3.0.0"}`)}
	client := cached.NewClient(server)
	if _, err := client.Paths(); err != nil {
		log.Fatal(err)
	}

	server.ForcedErr = errors.New("the server is away")
	paths, err := client.Paths()
	fmt.Println(len(paths), err)
	// Output: 1 <nil>
}
