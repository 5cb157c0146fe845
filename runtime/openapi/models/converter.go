package models

import (
	"encoding/json"
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/listwatch/listwatch/runtime/openapi"
)

// NewTypeConverter requests all documents of a server and returns a converter for their types. Fields that a
// schema does not have are kept if preserveUnknownFields is set; otherwise an object with one is an error.
func NewTypeConverter(client openapi.Client, preserveUnknownFields bool) (managedfields.TypeConverter, error) {
	paths, err := client.Paths()
	if err != nil {
		return nil, fmt.Errorf("list OpenAPI documents: %w", err)
	}
	schemas := map[string]*spec.Schema{}
	for path, gv := range paths {
		body, err := gv.Schema(runtime.ContentTypeJSON)
		if err != nil {
			return nil, fmt.Errorf("get the OpenAPI document of %s: %w", path, err)
		}
		var document spec3.OpenAPI
		if err := json.Unmarshal(body, &document); err != nil {
			return nil, fmt.Errorf("decode the OpenAPI document of %s: %w", path, err)
		}
		if document.Components != nil {
			maps.Copy(schemas, document.Components.Schemas)
		}
	}
	return managedfields.NewTypeConverter(schemas, preserveUnknownFields)
}
