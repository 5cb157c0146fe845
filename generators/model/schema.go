package model

import (
	"go/token"
	"maps"
	"slices"
)

// CRD is a CustomResourceDefinition: a kind with all of its versions.
type CRD struct {
	Group string
	// Kind and ListKind are the names of the types, Plural, Singular and ShortNames the names of
	// the resource.
	Kind, ListKind, Plural, Singular string
	ShortNames, Categories           []string
	// Scope is Namespaced or Cluster.
	Scope               string
	Annotations, Labels map[string]string
	// Versions are sorted by name.
	Versions []*CRDVersion
	// Pos is the position of the type of the storage version.
	Pos token.Position
}

// CRDVersion is a version of a CRD.
type CRDVersion struct {
	Name            string
	Served, Storage bool
	// Deprecated reports whether requests are answered with a warning; a nil Warning is the
	// server's own.
	Deprecated bool
	Warning    *string
	Columns    []Column
	// Status reports whether there is a status subresource, and Scale is nil without a scale
	// subresource.
	Status bool
	Scale  *Scale
	// Selectable are the JSON paths of the fields for field selectors.
	Selectable []string
	Schema     *Schema
	// Pos is the position of the type.
	Pos token.Position
}

// Column is a column of "kubectl get".
type Column struct {
	Name, Type, Format, Description, JSONPath string
	Priority                                  int64
}

// Scale is a scale subresource, with JSON paths.
type Scale struct {
	Spec, Status string
	// Selector is nil if there is none.
	Selector *string
}

// Schema is an OpenAPI schema as CRDs contain it. Zero values are left out of its text. The schemas of
// equal types can be the same *Schema, also within one CRD; to modify one, [API.Clone] the model, and
// replace it.
type Schema struct {
	Type, Format, Title, Description string
	Properties                       map[string]*Schema
	Required                         []string
	Items, AdditionalProperties      *Schema
	// AnyProperties allows properties of any type, if AdditionalProperties is nil.
	AnyProperties bool
	AllOf, AnyOf  []*Schema

	// Default, Example and the elements of Enum are JSON values: nil, bool, int64, float64, string,
	// []any, map[string]any. A nil Default or Example is none.
	Default, Example any
	Enum             []any

	Maximum, Minimum, MultipleOf       *float64
	ExclusiveMaximum, ExclusiveMinimum bool
	MaxLength, MinLength               *int64
	Pattern                            string
	MaxItems, MinItems                 *int64
	UniqueItems                        bool
	MaxProperties, MinProperties       *int64
	Nullable                           bool
	ExternalDocs                       *ExternalDocs

	PreserveUnknownFields, EmbeddedResource, IntOrString bool
	// ListType is atomic, set or map, and ListMapKeys are the keys of a map; MapType is atomic or
	// granular.
	ListType, MapType string
	ListMapKeys       []string
	Validations       []Rule
}

// ExternalDocs refers to documentation.
type ExternalDocs struct{ URL, Description string }

// Rule is a validation rule in CEL.
type Rule struct {
	Rule, Message, MessageExpression, Reason, FieldPath string
	OptionalOldSelf                                     *bool
}

func (c *CRD) clone(schemas map[*Schema]*Schema) *CRD {
	crd := *c
	crd.ShortNames, crd.Categories = slices.Clone(c.ShortNames), slices.Clone(c.Categories)
	crd.Annotations, crd.Labels = maps.Clone(c.Annotations), maps.Clone(c.Labels)
	crd.Versions = make([]*CRDVersion, len(c.Versions))
	for i, v := range c.Versions {
		version := *v
		version.Columns, version.Selectable = slices.Clone(v.Columns), slices.Clone(v.Selectable)
		version.Warning = clonePointer(v.Warning)
		if v.Scale != nil {
			scale := *v.Scale
			scale.Selector = clonePointer(scale.Selector)
			version.Scale = &scale
		}
		version.Schema = v.Schema.clone(schemas)
		crd.Versions[i] = &version
	}
	return &crd
}

// clone returns a copy of a schema. Known are the copies that exist already.
func (s *Schema) clone(known map[*Schema]*Schema) *Schema {
	if s == nil || known[s] != nil {
		return known[s]
	}
	c := *s
	known[s] = &c
	if s.Properties != nil {
		c.Properties = make(map[string]*Schema, len(s.Properties))
		for name, property := range s.Properties {
			c.Properties[name] = property.clone(known)
		}
	}
	c.Items, c.AdditionalProperties = s.Items.clone(known), s.AdditionalProperties.clone(known)
	c.AllOf, c.AnyOf = cloneSchemas(s.AllOf, known), cloneSchemas(s.AnyOf, known)
	c.Required, c.ListMapKeys = slices.Clone(s.Required), slices.Clone(s.ListMapKeys)
	c.Default, c.Example, c.Enum = cloneJSON(s.Default), cloneJSON(s.Example), cloneValues(s.Enum)
	c.Maximum, c.Minimum, c.MultipleOf = clonePointer(s.Maximum), clonePointer(s.Minimum), clonePointer(s.MultipleOf)
	c.MaxLength, c.MinLength = clonePointer(s.MaxLength), clonePointer(s.MinLength)
	c.MaxItems, c.MinItems = clonePointer(s.MaxItems), clonePointer(s.MinItems)
	c.MaxProperties, c.MinProperties = clonePointer(s.MaxProperties), clonePointer(s.MinProperties)
	c.ExternalDocs = clonePointer(s.ExternalDocs)
	c.Validations = slices.Clone(s.Validations)
	for i := range c.Validations {
		c.Validations[i].OptionalOldSelf = clonePointer(c.Validations[i].OptionalOldSelf)
	}
	return &c
}

func cloneSchemas(list []*Schema, known map[*Schema]*Schema) []*Schema {
	if list == nil {
		return nil
	}
	copies := make([]*Schema, len(list))
	for i, s := range list {
		copies[i] = s.clone(known)
	}
	return copies
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

func cloneValues(list []any) []any {
	if list == nil {
		return nil
	}
	copies := make([]any, len(list))
	for i, v := range list {
		copies[i] = cloneJSON(v)
	}
	return copies
}

// cloneJSON returns a copy of a JSON value.
func cloneJSON(value any) any {
	switch v := value.(type) {
	case []any:
		return cloneValues(v)
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = cloneJSON(member)
		}
		return object
	}
	return value
}
