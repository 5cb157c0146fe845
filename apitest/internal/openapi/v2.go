package openapi

import (
	"maps"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// newSwagger returns a document of version 2 without paths.
func newSwagger() *spec.Swagger {
	return &spec.Swagger{SwaggerProps: spec.SwaggerProps{
		Swagger:     "2.0",
		Info:        &spec.Info{InfoProps: spec.InfoProps{Title: "Kubernetes", Version: release}},
		Paths:       &spec.Paths{Paths: map[string]spec.PathItem{}},
		Definitions: spec.Definitions{},
		SecurityDefinitions: spec.SecurityDefinitions{"BearerToken": {SecuritySchemeProps: spec.SecuritySchemeProps{
			Type: "apiKey", Name: "authorization", In: "header", Description: "Bearer Token authentication",
		}}},
		Security: []map[string][]string{{"BearerToken": {}}},
	}}
}

// addV2 adds a document of version 3 to one of version 2. It modifies both.
func addV2(to *spec.Swagger, doc *spec3.OpenAPI) {
	for name, p := range doc.Paths.Paths {
		item := spec.PathItem{}
		for _, param := range p.Parameters {
			item.Parameters = append(item.Parameters, parameterV2(param))
		}
		item.Get, item.Put, item.Post = operationV2(p.Get), operationV2(p.Put), operationV2(p.Post)
		item.Delete, item.Patch = operationV2(p.Delete), operationV2(p.Patch)
		to.Paths.Paths[name] = item
	}
	for name, model := range doc.Components.Schemas {
		if known, ok := to.Definitions[name]; ok {
			mergeKinds(&known, model)
			to.Definitions[name] = known
			continue
		}
		modelV2(model)
		to.Definitions[name] = *model
	}
}

// mergeKinds adds the kinds of a model to one that has the same name: those that all groups share
// have a kind in each.
func mergeKinds(to *spec.Schema, from *spec.Schema) {
	kinds, _ := to.Extensions[kindExtension].([]any)
	more, _ := from.Extensions[kindExtension].([]any)
	for _, kind := range more {
		if !slices.ContainsFunc(kinds, func(known any) bool { return sameKind(known, kind) }) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) > 0 {
		to.AddExtension(kindExtension, kinds)
	}
}

func sameKind(a, b any) bool {
	x, ok := a.(map[string]any)
	y, also := b.(map[string]any)
	return ok && also && maps.Equal(x, y)
}

func operationV2(op *spec3.Operation) *spec.Operation {
	if op == nil {
		return nil
	}
	out := &spec.Operation{OperationProps: spec.OperationProps{
		ID: op.OperationId, Description: op.Description, Tags: op.Tags, Schemes: []string{"https"},
		Responses: &spec.Responses{ResponsesProps: spec.ResponsesProps{StatusCodeResponses: map[int]spec.Response{}}},
	}}
	out.Extensions = op.Extensions
	out.Consumes = []string{"*/*"}
	if body := op.RequestBody; body != nil {
		out.Consumes = slices.SortedFunc(maps.Keys(body.Content), byPreference)
		for _, media := range body.Content {
			s := *media.Schema
			modelV2(&s)
			out.Parameters = append(out.Parameters, spec.Parameter{ParamProps: spec.ParamProps{
				Name: "body", In: "body", Required: body.Required, Schema: &s,
			}})
			break // all have the same
		}
	}
	for _, param := range op.Parameters {
		out.Parameters = append(out.Parameters, parameterV2(param))
	}
	for code, response := range op.Responses.StatusCodeResponses {
		r := spec.Response{ResponseProps: spec.ResponseProps{Description: response.Description}}
		if types := slices.SortedFunc(maps.Keys(response.Content), byPreference); len(types) > 0 {
			s := *response.Content[types[0]].Schema
			modelV2(&s)
			r.Schema, out.Produces = &s, types
		}
		out.Responses.StatusCodeResponses[code] = r
	}
	if len(op.Extensions) == 0 { // discovery
		out.Consumes = out.Produces
	}
	return out
}

// preference is the order of media types in version 2.
var preference = []string{
	"application/json", "application/yaml", "application/vnd.kubernetes.protobuf",
	"application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch",
	"application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json",
	"application/apply-patch+yaml",
}

func byPreference(a, b string) int {
	return slices.Index(preference, a) - slices.Index(preference, b)
}

func parameterV2(p *spec3.Parameter) spec.Parameter {
	return spec.Parameter{
		ParamProps:        spec.ParamProps{Name: p.Name, In: p.In, Description: p.Description, Required: p.Required},
		SimpleSchema:      spec.SimpleSchema{Type: p.Schema.Type[0]},
		CommonValidations: spec.CommonValidations{UniqueItems: p.Schema.UniqueItems},
	}
}

// modelV2 converts a schema to version 2, which has no defaults and no alternatives.
func modelV2(s *spec.Schema) {
	s.Default = nil
	if len(s.AllOf) == 1 && s.AllOf[0].Ref.String() != "" {
		s.Ref, s.AllOf = s.AllOf[0].Ref, nil
	}
	if name, ok := strings.CutPrefix(s.Ref.String(), facts.ModelPrefix); ok {
		s.Ref = spec.MustCreateRef("#/definitions/" + name)
	}
	if len(s.OneOf) > 0 {
		// What is either a number or a string has a form of strings.
		s.OneOf, s.Type = nil, []string{"string"}
	}
	for name, property := range s.Properties {
		modelV2(&property)
		s.Properties[name] = property
	}
	if s.Items != nil && s.Items.Schema != nil {
		modelV2(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		modelV2(s.AdditionalProperties.Schema)
	}
}
