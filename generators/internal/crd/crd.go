// Package crd writes CustomResourceDefinitions as YAML.
package crd

import (
	"sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/generators/model"
)

// object is a JSON object.
type object = map[string]any

// YAML returns the text of a CustomResourceDefinition, with keys and scalars as controller-gen writes
// them. MaxDescLen limits the lengths of descriptions; nil for no limit.
func YAML(c *model.CRD, maxDescLen *int) []byte {
	text, err := yaml.Marshal(definition(c, maxDescLen))
	if err != nil {
		panic(err) // the values are JSON
	}
	return append([]byte("---\n"), text...)
}

func definition(c *model.CRD, maxDescLen *int) object {
	metadata := object{"name": c.Plural + "." + c.Group}
	set(metadata, "annotations", c.Annotations)
	set(metadata, "labels", c.Labels)
	names := object{"kind": c.Kind, "listKind": c.ListKind, "plural": c.Plural, "singular": c.Singular}
	list(names, "shortNames", c.ShortNames)
	list(names, "categories", c.Categories)
	p := printer{maxDescLen}
	var versions []any
	for _, v := range c.Versions {
		versions = append(versions, p.version(v))
	}
	return object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": metadata,
		"spec": object{"group": c.Group, "names": names, "scope": c.Scope, "versions": versions},
	}
}

type printer struct{ maxDescLen *int }

func (p printer) version(v *model.CRDVersion) object {
	o := object{
		"name": v.Name, "served": v.Served, "storage": v.Storage,
		"schema": object{"openAPIV3Schema": p.schema(v.Schema)},
	}
	set(o, "deprecated", v.Deprecated)
	if v.Warning != nil {
		o["deprecationWarning"] = *v.Warning
	}
	var columns, fields []any
	for _, c := range v.Columns {
		column := object{"name": c.Name, "type": c.Type, "jsonPath": c.JSONPath}
		set(column, "format", c.Format)
		set(column, "description", c.Description)
		set(column, "priority", c.Priority)
		columns = append(columns, column)
	}
	list(o, "additionalPrinterColumns", columns)
	for _, path := range v.Selectable {
		fields = append(fields, object{"jsonPath": path})
	}
	list(o, "selectableFields", fields)
	subresources := object{}
	if v.Status {
		subresources["status"] = object{}
	}
	if s := v.Scale; s != nil {
		scale := object{"specReplicasPath": s.Spec, "statusReplicasPath": s.Status}
		if s.Selector != nil {
			scale["labelSelectorPath"] = *s.Selector
		}
		subresources["scale"] = scale
	}
	if len(subresources) > 0 || len(columns) > 0 {
		o["subresources"] = subresources
	}
	return o
}

// set adds a member to an object unless its value is zero.
func set[T any](o object, name string, value T) {
	switch v := any(value).(type) {
	case string:
		if v == "" {
			return
		}
	case bool:
		if !v {
			return
		}
	case int64:
		if v == 0 {
			return
		}
	case map[string]string:
		if len(v) == 0 {
			return
		}
	}
	o[name] = value
}

// list adds a list to an object unless it is empty.
func list[T any](o object, name string, values []T) {
	if len(values) > 0 {
		o[name] = values
	}
}

// pointer adds what a pointer points to.
func pointer[T any](o object, name string, value *T) {
	if value != nil {
		o[name] = *value
	}
}

func (p printer) schema(s *model.Schema) object {
	o := object{}
	set(o, "type", s.Type)
	set(o, "format", s.Format)
	set(o, "title", s.Title)
	set(o, "description", p.description(s.Description))
	if len(s.Properties) > 0 {
		properties := object{}
		for name, property := range s.Properties {
			properties[name] = p.schema(property)
		}
		o["properties"] = properties
	}
	list(o, "required", s.Required)
	if s.Items != nil {
		o["items"] = p.schema(s.Items)
	}
	switch {
	case s.AdditionalProperties != nil:
		o["additionalProperties"] = p.schema(s.AdditionalProperties)
	case s.AnyProperties:
		o["additionalProperties"] = true
	}
	list(o, "allOf", p.schemas(s.AllOf))
	list(o, "anyOf", p.schemas(s.AnyOf))
	if s.Default != nil {
		o["default"] = s.Default
	}
	if s.Example != nil {
		o["example"] = s.Example
	}
	list(o, "enum", s.Enum)
	pointer(o, "maximum", s.Maximum)
	pointer(o, "minimum", s.Minimum)
	pointer(o, "multipleOf", s.MultipleOf)
	set(o, "exclusiveMaximum", s.ExclusiveMaximum)
	set(o, "exclusiveMinimum", s.ExclusiveMinimum)
	pointer(o, "maxLength", s.MaxLength)
	pointer(o, "minLength", s.MinLength)
	set(o, "pattern", s.Pattern)
	pointer(o, "maxItems", s.MaxItems)
	pointer(o, "minItems", s.MinItems)
	set(o, "uniqueItems", s.UniqueItems)
	pointer(o, "maxProperties", s.MaxProperties)
	pointer(o, "minProperties", s.MinProperties)
	set(o, "nullable", s.Nullable)
	if docs := s.ExternalDocs; docs != nil {
		external := object{"url": docs.URL}
		set(external, "description", docs.Description)
		o["externalDocs"] = external
	}
	set(o, "x-kubernetes-preserve-unknown-fields", s.PreserveUnknownFields)
	set(o, "x-kubernetes-embedded-resource", s.EmbeddedResource)
	set(o, "x-kubernetes-int-or-string", s.IntOrString)
	set(o, "x-kubernetes-list-type", s.ListType)
	set(o, "x-kubernetes-map-type", s.MapType)
	list(o, "x-kubernetes-list-map-keys", s.ListMapKeys)
	var rules []any
	for _, rule := range s.Validations {
		r := object{"rule": rule.Rule}
		set(r, "message", rule.Message)
		set(r, "messageExpression", rule.MessageExpression)
		set(r, "reason", rule.Reason)
		set(r, "fieldPath", rule.FieldPath)
		pointer(r, "optionalOldSelf", rule.OptionalOldSelf)
		rules = append(rules, r)
	}
	list(o, "x-kubernetes-validations", rules)
	return o
}

func (p printer) schemas(all []*model.Schema) []any {
	var out []any
	for _, s := range all {
		out = append(out, p.schema(s))
	}
	return out
}
