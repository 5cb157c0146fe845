// Package openapi describes a server's API in OpenAPI v3.
//
// There is one document for each version of a group. Documents of CRDs' groups are complete: they contain the
// schemas of the CRDs. Those of other groups, whose kinds are Go types, contain the operations from which
// clients such as kubectl learn the options of a resource, and no schemas.
//
// Documents are created for each request and not cached, since few clients request them.
package openapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/cached"
	"k8s.io/kube-openapi/pkg/handler3"
	"k8s.io/kube-openapi/pkg/spec3"
)

const root = "/openapi/v3"

// Handler serves OpenAPI documents. It is safe for concurrent use.
type Handler struct {
	// Groups returns what is served.
	Groups func() []apidiscovery.APIGroupDiscovery
	// Definitions returns the CRDs.
	Definitions func(context.Context) ([]apiextensions.CustomResourceDefinition, error)
}

// Serve handles requests for documents and for their list, and reports whether the request was one.
func (h *Handler) Serve(w http.ResponseWriter, req *http.Request) bool {
	rest, ok := strings.CutPrefix(req.URL.Path, root)
	if !ok || req.Method != http.MethodGet {
		return false
	}
	documents, err := h.documents(req.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return true
	}
	service := handler3.NewOpenAPIService()
	for name, document := range documents {
		service.UpdateGroupVersionLazy(name, cached.Func(document))
	}
	switch name := strings.TrimPrefix(rest, "/"); {
	case rest == "":
		service.HandleDiscovery(w, req)
	case documents[name] != nil:
		service.HandleGroupVersion(w, req)
	default:
		return false
	}
	return true
}

// document creates a document, and a key that distinguishes it from others.
type document func() (*spec3.OpenAPI, string, error)

// documents returns the documents of all versions, by the paths of their resources: "api/v1",
// "apis/apps/v1".
func (h *Handler) documents(ctx context.Context) (map[string]document, error) {
	crds, err := h.Definitions(ctx)
	if err != nil {
		return nil, fmt.Errorf("list definitions: %w", err)
	}
	resources := map[schema.GroupVersion][]apidiscovery.APIResourceDiscovery{}
	for _, group := range h.Groups() {
		for _, version := range group.Versions {
			gv := schema.GroupVersion{Group: group.Name, Version: version.Version}
			resources[gv] = append(resources[gv], version.Resources...)
		}
	}
	documents := map[string]document{}
	for gv, resources := range resources {
		name := strings.TrimPrefix(groupPath(gv), "/")
		documents[name] = func() (*spec3.OpenAPI, string, error) {
			doc, err := describe(gv, resources, crds)
			return doc, name, err
		}
	}
	return documents, nil
}

// describe creates the document of a version.
func describe(gv schema.GroupVersion, resources []apidiscovery.APIResourceDiscovery, crds []apiextensions.CustomResourceDefinition) (*spec3.OpenAPI, error) {
	parts := []*spec3.OpenAPI{outline(gv, resources)}
	for i := range crds {
		if crds[i].Spec.Group != gv.Group || !serves(&crds[i], gv.Version) {
			continue
		}
		part, err := builder.BuildOpenAPIV3(&crds[i], gv.Version, builder.Options{})
		if err != nil {
			return nil, fmt.Errorf("describe %s: %w", crds[i].Name, err)
		}
		parts = append(parts, part)
	}
	return builder.MergeSpecsV3(parts...)
}

func serves(crd *apiextensions.CustomResourceDefinition, version string) bool {
	for _, v := range crd.Spec.Versions {
		if v.Name == version {
			return v.Served
		}
	}
	return false
}
