package openapi

import (
	"path"
	"slices"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// outline describes the options of patches of resources.
func outline(gv schema.GroupVersion, resources []apidiscovery.APIResourceDiscovery) *spec3.OpenAPI {
	paths := map[string]*spec3.Path{}
	for _, resource := range resources {
		if resource.ResponseKind == nil || !slices.Contains(resource.Verbs, "patch") {
			continue
		}
		paths[objectPath(gv, resource)] = &spec3.Path{PathProps: spec3.PathProps{Patch: patch(resource)}}
	}
	return &spec3.OpenAPI{
		Version: "3.0.0",
		Info:    &spec.Info{InfoProps: spec.InfoProps{Title: "Kubernetes", Version: "v1.37.1"}},
		Paths:   &spec3.Paths{Paths: paths},
		// Required for merging with others.
		Components: &spec3.Components{Schemas: map[string]*spec.Schema{}},
	}
}

func groupPath(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return path.Join("/api", gv.Version)
	}
	return path.Join("/apis", gv.Group, gv.Version)
}

func objectPath(gv schema.GroupVersion, resource apidiscovery.APIResourceDiscovery) string {
	root := groupPath(gv)
	if resource.Scope == apidiscovery.ScopeNamespace {
		root = path.Join(root, "namespaces/{namespace}")
	}
	return path.Join(root, resource.Resource, "{name}")
}

func patch(resource apidiscovery.APIResourceDiscovery) *spec3.Operation {
	kind := resource.ResponseKind
	operation := &spec3.Operation{
		OperationProps: spec3.OperationProps{
			Parameters: []*spec3.Parameter{
				query("dryRun", "string"), query("fieldManager", "string"), query("fieldValidation", "string"), query("force", "boolean"),
			},
			Responses: &spec3.Responses{ResponsesProps: spec3.ResponsesProps{StatusCodeResponses: map[int]*spec3.Response{
				200: {ResponseProps: spec3.ResponseProps{Description: "OK"}},
			}}},
		},
	}
	operation.AddExtension("x-kubernetes-action", "patch")
	operation.AddExtension("x-kubernetes-group-version-kind", map[string]any{
		"group": kind.Group, "version": kind.Version, "kind": kind.Kind,
	})
	return operation
}

func query(name, kind string) *spec3.Parameter {
	return &spec3.Parameter{ParameterProps: spec3.ParameterProps{
		Name: name, In: "query", Schema: &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{kind}}},
	}}
}
