package schema

import (
	"maps"
	"reflect"
	"slices"

	"github.com/listwatch/listwatch/generators/model"
)

// A schema refers to the types that it uses. To expand it is to replace each reference by an allOf of
// the type's schema and of what the field adds, under the description of the field or, without one, of the type.
// To flatten it is to merge each allOf into the schema that has it. A schema that was expanded or
// flattened is not modified any more, and shared.

// expand returns a schema with its references replaced.
func (r *reader) expand(s *model.Schema) *model.Schema {
	if s == nil {
		return nil
	}
	if done := r.expansions[s]; done != nil {
		return done
	}
	out := *s
	out.Properties = r.expandAll(s.Properties)
	out.Items, out.AdditionalProperties = r.expand(s.Items), r.expand(s.AdditionalProperties)
	out.AllOf = slices.Clone(s.AllOf)
	for i, part := range out.AllOf {
		out.AllOf[i] = r.expand(part)
	}
	result := &out
	if ref := r.refs[s]; ref != nil {
		r.stack = append(r.stack, r.places[s])
		result = refine(r.expandType(ref, s), &out)
		r.stack = r.stack[:len(r.stack)-1]
	}
	r.expansions[s] = result
	r.places[result] = r.places[s]
	return result
}

func (r *reader) expandAll(properties map[string]*model.Schema) map[string]*model.Schema {
	if properties == nil {
		return nil
	}
	out := make(map[string]*model.Schema, len(properties))
	for _, name := range slices.Sorted(maps.Keys(properties)) { // so that errors do not depend on chance
		out[name] = r.expand(properties[name])
	}
	return out
}

// expandType returns the expanded schema of a type, to which a schema refers.
func (r *reader) expandType(t *declared, from *model.Schema) *model.Schema {
	switch {
	case t.expanded != nil:
		r.report(t.faults)
		return t.expanded
	case t.expanding:
		if from.Type == "" && !from.PreserveUnknownFields && !from.IntOrString {
			r.errorf(r.places[from], "type %s contains itself, which schemas of CustomResourceDefinitions cannot; mark the field with +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields to leave its content unchecked", t.name())
		}
		return &model.Schema{}
	}
	s, before := r.schema(t), len(r.reported)
	r.report(t.faults)
	t.expanding = true
	t.expanded = r.expand(s)
	t.expanding = false
	t.faults = slices.Clone(r.reported[before:])
	return t.expanded
}

// refine returns an allOf of the schema of a type and of what a use of it adds.
func refine(base, use *model.Schema) *model.Schema {
	out := &model.Schema{
		Description: base.Description, Title: base.Title, ExternalDocs: base.ExternalDocs, Example: base.Example,
	}
	if use.Description != "" {
		out.Description = use.Description
	}
	if use.Title != "" {
		out.Title = use.Title
	}
	if use.ExternalDocs != nil {
		out.ExternalDocs = use.ExternalDocs
	}
	if use.Example != nil {
		out.Example = use.Example
	}
	out.AllOf = []*model.Schema{base, use}
	return out
}

// flatten returns an expanded schema in which each allOf is merged into the schema that has it, except
// for what both set to different values.
func (r *reader) flatten(s *model.Schema) *model.Schema {
	if s == nil {
		return nil
	}
	if done := r.flattened[s]; done != nil {
		return done
	}
	out := *s
	out.AllOf = nil
	for _, part := range s.AllOf {
		r.merge(&out, part)
	}
	out.Properties = maps.Clone(out.Properties)
	for name, property := range out.Properties {
		out.Properties[name] = r.flatten(property)
	}
	out.Items, out.AdditionalProperties = r.flatten(out.Items), r.flatten(out.AdditionalProperties)
	for i, part := range out.AllOf {
		out.AllOf[i] = r.flatten(part)
	}
	r.flattened[s] = &out
	r.places[&out], r.shared[&out] = r.places[s], r.shared[s]
	return &out
}

// merge adds the fields of src to dst, which the caller owns. Fields that both set to different values stay in an
// allOf. Documentation is not merged.
func (r *reader) merge(dst, src *model.Schema) {
	for _, part := range src.AllOf {
		r.merge(dst, part)
	}
	var both [2]model.Schema // what dst and src say about the same
	if src.Type != "" {
		if dst.Type != "" && dst.Type != src.Type && !r.merged {
			r.errorf(r.places[src], "type %q contradicts %q, the type of what this is part of; use one of them", src.Type, dst.Type)
		}
		dst.Type = first(dst.Type, src.Type)
	}
	r.mergeProperties(dst, src.Properties)
	if len(src.Required) > 0 {
		required := slices.Concat(dst.Required, src.Required)
		slices.Sort(required)
		dst.Required = slices.Compact(required)
	}
	if len(dst.Enum) == 0 {
		dst.Enum = src.Enum
	}
	if src.AdditionalProperties != nil {
		if dst.AdditionalProperties == nil {
			dst.AdditionalProperties = src.AdditionalProperties
		} else {
			both := *dst.AdditionalProperties
			r.merge(&both, src.AdditionalProperties)
			dst.AdditionalProperties = &both
		}
	}
	dst.AnyProperties = dst.AnyProperties || src.AnyProperties
	dst.PreserveUnknownFields = dst.PreserveUnknownFields || src.PreserveUnknownFields
	dst.EmbeddedResource = dst.EmbeddedResource || src.EmbeddedResource
	dst.IntOrString = dst.IntOrString || src.IntOrString
	dst.UniqueItems = dst.UniqueItems || src.UniqueItems
	dst.Nullable = dst.Nullable || src.Nullable
	dst.ExclusiveMaximum = dst.ExclusiveMaximum || src.ExclusiveMaximum
	dst.ExclusiveMinimum = dst.ExclusiveMinimum || src.ExclusiveMinimum
	dst.ListType, dst.MapType = first(src.ListType, dst.ListType), first(src.MapType, dst.MapType)
	if len(src.ListMapKeys) > 0 {
		dst.ListMapKeys = src.ListMapKeys
	}
	if len(src.Validations) > 0 {
		dst.Validations = slices.Concat(src.Validations, dst.Validations)
	}
	split := text(&dst.Format, src.Format, &both[0].Format, &both[1].Format)
	split = text(&dst.Pattern, src.Pattern, &both[0].Pattern, &both[1].Pattern) || split
	split = pointer(&dst.Items, src.Items, &both[0].Items, &both[1].Items) || split
	split = pointer(&dst.Maximum, src.Maximum, &both[0].Maximum, &both[1].Maximum) || split
	split = pointer(&dst.Minimum, src.Minimum, &both[0].Minimum, &both[1].Minimum) || split
	split = pointer(&dst.MultipleOf, src.MultipleOf, &both[0].MultipleOf, &both[1].MultipleOf) || split
	split = pointer(&dst.MaxLength, src.MaxLength, &both[0].MaxLength, &both[1].MaxLength) || split
	split = pointer(&dst.MinLength, src.MinLength, &both[0].MinLength, &both[1].MinLength) || split
	split = pointer(&dst.MaxItems, src.MaxItems, &both[0].MaxItems, &both[1].MaxItems) || split
	split = pointer(&dst.MinItems, src.MinItems, &both[0].MinItems, &both[1].MinItems) || split
	split = count(&dst.MaxProperties, src.MaxProperties, &both[0].MaxProperties, &both[1].MaxProperties) || split
	split = count(&dst.MinProperties, src.MinProperties, &both[0].MinProperties, &both[1].MinProperties) || split
	if src.Default != nil {
		if dst.Default != nil && !reflect.DeepEqual(dst.Default, src.Default) {
			both[0].Default, both[1].Default, dst.Default = dst.Default, src.Default, nil
			split = true
		} else {
			dst.Default = src.Default
		}
	}
	if len(src.AnyOf) > 0 {
		if len(dst.AnyOf) > 0 {
			both[0].AnyOf, both[1].AnyOf, dst.AnyOf = dst.AnyOf, src.AnyOf, nil
			split = true
		} else {
			dst.AnyOf = src.AnyOf
		}
	}
	if split {
		dst.AllOf = append(slices.Clip(dst.AllOf), &both[0], &both[1])
	}
}

// mergeProperties adds properties to dst.
func (r *reader) mergeProperties(dst *model.Schema, properties map[string]*model.Schema) {
	if len(properties) == 0 {
		return
	}
	all := maps.Clone(properties)
	for name, known := range dst.Properties {
		if property := properties[name]; property != nil {
			both := *known
			r.merge(&both, property)
			r.places[&both], r.shared[&both] = r.places[known], true
			known = &both
		}
		all[name] = known
	}
	dst.Properties = all
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// text merges a text: if both have one and they differ, both are moved away.
func text(dst *string, src string, a, b *string) (split bool) {
	if src == "" || *dst == src {
		return false
	}
	if *dst == "" {
		*dst = src
		return false
	}
	*a, *b, *dst = *dst, src, ""
	return true
}

// pointer merges values behind pointers: if both are set, both are moved away, equal or not.
func pointer[T any](dst **T, src *T, a, b **T) (split bool) {
	if src == nil {
		return false
	}
	if *dst == nil {
		*dst = src
		return false
	}
	*a, *b, *dst = *dst, src, nil
	return true
}

// count is like pointer, but equal numbers are not moved away.
func count(dst **int64, src *int64, a, b **int64) (split bool) {
	if src != nil && *dst != nil && *src == **dst {
		return false
	}
	return pointer(dst, src, a, b)
}
