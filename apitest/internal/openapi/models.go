package openapi

import (
	"slices"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

const modelPrefix = facts.ModelPrefix

// static describes the resources of a version whose kinds are Go types, with the models of those
// that are Kubernetes' own. Kinds without a model get one that allows any fields.
func static(gv schema.GroupVersion, resources []apidiscovery.APIResourceDiscovery) (*spec3.OpenAPI, error) {
	names, unknown := newNames()
	doc := &spec3.OpenAPI{
		Version: "3.0.0",
		Info:    &spec.Info{InfoProps: spec.InfoProps{Title: "Kubernetes", Version: release}},
		Paths:   &spec3.Paths{Paths: paths(gv, resources, names)},
		Components: &spec3.Components{
			Schemas: map[string]*spec.Schema{},
			SecuritySchemes: spec3.SecuritySchemes{"BearerToken": {SecuritySchemeProps: spec3.SecuritySchemeProps{
				Type: "apiKey", Name: "authorization", In: "header", Description: "Bearer Token authentication",
			}}},
		},
	}
	var used []string
	for _, p := range doc.Paths.Paths {
		visit(p, func(s *spec.Schema) {
			if name, ok := strings.CutPrefix(s.Ref.String(), modelPrefix); ok && !slices.Contains(used, name) {
				used = append(used, name)
			}
		})
	}
	models, err := facts.Models(used...)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"DeleteOptions", "WatchEvent"} {
		if m := models[metaModel(name)]; m != nil {
			addKinds(m, schema.GroupVersionKind{Version: "v1", Kind: name}, gv.WithKind(name))
		}
	}
	for name, kind := range unknown {
		models[name] = anything(kind)
	}
	doc.Components.Schemas = models
	return doc, nil
}

// newNames returns the names of the models of a version's kinds, and the kinds by the names of
// models that are not recorded.
func newNames() (modelNames, map[string]schema.GroupVersionKind) {
	unknown := map[string]schema.GroupVersionKind{}
	return func(kind schema.GroupVersionKind) string {
		if name, err := facts.ModelOf(kind.Group, kind.Version, kind.Kind); err == nil && name != "" {
			return name
		}
		if name := "io.k8s.api.core.v1." + kind.Kind; kind.GroupVersion() == (schema.GroupVersion{Version: "v1"}) {
			return name // of the few core kinds that have no managed fields
		}
		parts := strings.Split(kind.Group, ".")
		slices.Reverse(parts)
		name := strings.Join(append(parts, kind.Version, kind.Kind), ".")
		unknown[name] = kind
		unknown[name+"List"] = kind.GroupVersion().WithKind(kind.Kind + "List")
		return name
	}, unknown
}

// anything returns the model of a kind whose fields are unknown.
func anything(kind schema.GroupVersionKind) *spec.Schema {
	s := &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}}}
	s.AddExtension("x-kubernetes-preserve-unknown-fields", true)
	addKinds(s, kind)
	return s
}

func addKinds(s *spec.Schema, kinds ...schema.GroupVersionKind) {
	var list []any
	for _, kind := range slices.Compact(kinds) {
		list = append(list, map[string]any{"group": kind.Group, "version": kind.Version, "kind": kind.Kind})
	}
	s.AddExtension(kindExtension, list)
}

// visit calls f for the schemas of a path's requests and responses.
func visit(p *spec3.Path, f func(*spec.Schema)) {
	for _, op := range operationsOf(p) {
		var all []map[string]*spec3.MediaType
		if op.RequestBody != nil {
			all = append(all, op.RequestBody.Content)
		}
		for _, r := range op.Responses.StatusCodeResponses {
			all = append(all, r.Content)
		}
		for _, types := range all {
			for _, t := range types {
				f(t.Schema)
			}
		}
	}
}

// operationsOf returns a path's operations by method.
func operationsOf(p *spec3.Path) map[string]*spec3.Operation {
	out := map[string]*spec3.Operation{}
	for method, op := range map[string]*spec3.Operation{
		"get": p.Get, "put": p.Put, "post": p.Post, "delete": p.Delete, "patch": p.Patch,
	} {
		if op != nil {
			out[method] = op
		}
	}
	return out
}
