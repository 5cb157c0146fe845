package models_test

import (
	"fmt"
	"log"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/listwatch/listwatch/runtime/openapi/models"
	"github.com/listwatch/listwatch/runtime/openapi/openapitest"
)

// A type converter knows the fields of all kinds of a server, and how server-side apply merges them.
func ExampleNewTypeConverter() {
	client := openapitest.NewFakeClient() // in a program, openapi.NewClient
	client.PathsMap["apis/library.dev/v1"] = openapitest.FakeGroupVersion{GVSpec: []byte(`{
		"openapi": "3.0.0", "info": {"title": "Library", "version": "v1"}, "paths": {},
		"components": {"schemas": {"dev.library.v1.Book": {
			"type": "object",
			"properties": {
				"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "title": {"type": "string"}
			},
			"x-kubernetes-group-version-kind": [{"group": "library.dev", "version": "v1", "kind": "Book"}]
		}}}
	}`)}
	converter, err := models.NewTypeConverter(client, false)
	if err != nil {
		log.Fatal(err)
	}

	book := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "library.dev/v1", "kind": "Book", "title": "Emma"}}
	_, err = converter.ObjectToTyped(book)
	fmt.Println(err)
	book.Object["titel"] = "Emma"
	_, err = converter.ObjectToTyped(book)
	fmt.Println(err)
	// Output:
	// <nil>
	// .titel: field not declared in schema
}
