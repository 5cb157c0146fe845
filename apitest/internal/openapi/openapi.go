// Package openapi describes a server's API in OpenAPI, versions 2 and 3.
//
// # Terms
//
// In version 3 there is one document for each version of a group; in version 2 one document for all. A document
// has paths with their operations, and models, the schemas of kinds. The models of Kubernetes' own kinds are
// recorded (package facts), those of custom resources are in their definitions, and other kinds of a scheme have
// models that allow any fields. Operations are described as a kube-apiserver does: from the resource's verbs.
//
// # Operations
//
// [Handler.Serve] serves /openapi/v3, the list of documents, with a hash of each; the documents below it; and
// /openapi/v2. Documents are JSON, or protobuf in the messages of gnostic.
//
// # Limits
//
// Documents are created for each request and not cached, since few clients request them: one takes a few
// milliseconds, version 2 about a second. A document describes the resources that are served, therefore
// not the subresources of running pods, and not the paths that are no resources, such as /version.
package openapi

import (
	"context"
	"crypto/sha512"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

const (
	rootV2 = "/openapi/v2"
	rootV3 = "/openapi/v3"
	// release is the version of the API.
	release = "1.37"
)

// Handler serves OpenAPI documents. It is safe for concurrent use.
type Handler struct {
	// Groups returns what is served.
	Groups func() []apidiscovery.APIGroupDiscovery
	// Definitions returns the CRDs.
	Definitions func(context.Context) ([]apiextensions.CustomResourceDefinition, error)
}

// Serve handles requests for documents and for their list, and reports whether the request was one.
func (h *Handler) Serve(w http.ResponseWriter, req *http.Request) bool {
	name, below := strings.CutPrefix(req.URL.Path, rootV3+"/")
	if req.Method != http.MethodGet || !below && req.URL.Path != rootV3 && req.URL.Path != rootV2 {
		return false
	}
	documents, err := h.documents(req.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return true
	}
	switch {
	case !below && req.URL.Path == rootV2:
		serveV2(w, req, documents)
	case !below:
		serveList(w, req, documents)
	case documents[name] != nil:
		serveV3(w, req, name, documents[name])
	default:
		return false
	}
	return true
}

// Schemas returns the models in the document of a version by their names, which references have after
// "#/components/schemas/". It returns none if the version is not served.
func (h *Handler) Schemas(ctx context.Context, gv schema.GroupVersion) (map[string]*spec.Schema, error) {
	documents, err := h.documents(ctx)
	if err != nil {
		return nil, err
	}
	served := documents[strings.TrimPrefix(groupPath(gv), "/")]
	if served == nil {
		return nil, nil
	}
	built, err := served.build()
	if err != nil {
		return nil, err
	}
	return built.Components.Schemas, nil
}

// A document describes the resources of a version.
type document struct {
	gv        schema.GroupVersion
	resources []apidiscovery.APIResourceDiscovery       // of all kinds
	crds      []*apiextensions.CustomResourceDefinition // that serve some of the resources
}

// documents returns the documents of all versions, by the paths of their resources: "api/v1",
// "apis/apps/v1".
func (h *Handler) documents(ctx context.Context) (map[string]*document, error) {
	crds, err := h.Definitions(ctx)
	if err != nil {
		return nil, fmt.Errorf("list definitions: %w", err)
	}
	documents := map[string]*document{}
	for _, group := range h.Groups() {
		for _, version := range group.Versions {
			gv := schema.GroupVersion{Group: group.Name, Version: version.Version}
			name := strings.TrimPrefix(groupPath(gv), "/")
			doc := documents[name]
			if doc == nil {
				doc = &document{gv: gv}
				documents[name] = doc
				for i := range crds {
					if crds[i].Spec.Group == gv.Group && serves(&crds[i], gv.Version) {
						doc.crds = append(doc.crds, &crds[i])
					}
				}
			}
			doc.resources = append(doc.resources, version.Resources...)
		}
	}
	return documents, nil
}

func serves(crd *apiextensions.CustomResourceDefinition, version string) bool {
	return slices.ContainsFunc(crd.Spec.Versions, func(v apiextensions.CustomResourceDefinitionVersion) bool {
		return v.Name == version && v.Served
	})
}

// hash returns a text that changes with the document.
func (d *document) hash() (string, error) {
	parts := []any{release, d.gv, d.resources}
	for _, crd := range d.crds {
		parts = append(parts, crd.Spec)
	}
	data, err := json.Marshal(parts)
	return fmt.Sprintf("%X", sha512.Sum512(data)), err
}

// others returns the resources that no CRD serves.
func (d *document) others() []apidiscovery.APIResourceDiscovery {
	return slices.DeleteFunc(slices.Clone(d.resources), func(r apidiscovery.APIResourceDiscovery) bool {
		return slices.ContainsFunc(d.crds, func(crd *apiextensions.CustomResourceDefinition) bool {
			return crd.Status.AcceptedNames.Plural == r.Resource
		})
	})
}

// build creates the document in version 3.
func (d *document) build() (*spec3.OpenAPI, error) {
	var parts []*spec3.OpenAPI
	if others := d.others(); len(others) > 0 || len(d.crds) == 0 {
		part, err := static(d.gv, others)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	for _, crd := range d.crds {
		part, err := builder.BuildOpenAPIV3(crd, d.gv.Version, builder.Options{IncludeSelectableFields: true})
		if err != nil {
			return nil, fmt.Errorf("describe %s: %w", crd.Name, err)
		}
		parts = append(parts, part)
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return builder.MergeSpecsV3(parts...)
}

// buildV2 creates the document in version 2.
func buildV2(documents map[string]*document) (*spec.Swagger, error) {
	out := newSwagger()
	var parts []*spec.Swagger
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		doc := documents[name]
		part, err := static(doc.gv, doc.others())
		if err != nil {
			return nil, err
		}
		addV2(out, part)
		for _, crd := range doc.crds {
			part, err := builder.BuildOpenAPIV2(crd, doc.gv.Version, builder.Options{V2: true, IncludeSelectableFields: true})
			if err != nil {
				return nil, fmt.Errorf("describe %s: %w", crd.Name, err)
			}
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return out, nil
	}
	return builder.MergeSpecs(out, parts...)
}
