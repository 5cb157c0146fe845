package manifest

import "github.com/listwatch/listwatch/generators/model"

// schema returns a schema as an object.
func (p printer) schema(s *model.Schema) object {
	o := make(object, 0, 8)
	switch {
	case s.AdditionalProperties != nil:
		o = append(o, member{"additionalProperties", p.schema(s.AdditionalProperties)})
	case s.AnyProperties:
		o = flag(o, "additionalProperties", true)
	}
	o = list(o, "allOf", p.schemas(s.AllOf))
	o = list(o, "anyOf", p.schemas(s.AnyOf))
	o = add(o, "default", s.Default, s.Default != nil)
	o = text(o, "description", p.description(s.Description))
	o = list(o, "enum", s.Enum)
	o = add(o, "example", s.Example, s.Example != nil)
	o = flag(o, "exclusiveMaximum", s.ExclusiveMaximum)
	o = flag(o, "exclusiveMinimum", s.ExclusiveMinimum)
	if docs := s.ExternalDocs; docs != nil {
		o = append(o, member{"externalDocs", append(text(nil, "description", docs.Description), member{"url", docs.URL})})
	}
	o = text(o, "format", s.Format)
	if s.Items != nil {
		o = append(o, member{"items", p.schema(s.Items)})
	}
	o = pointer(o, "maxItems", s.MaxItems)
	o = pointer(o, "maxLength", s.MaxLength)
	o = pointer(o, "maxProperties", s.MaxProperties)
	o = pointer(o, "maximum", s.Maximum)
	o = pointer(o, "minItems", s.MinItems)
	o = pointer(o, "minLength", s.MinLength)
	o = pointer(o, "minProperties", s.MinProperties)
	o = pointer(o, "minimum", s.Minimum)
	o = pointer(o, "multipleOf", s.MultipleOf)
	o = flag(o, "nullable", s.Nullable)
	o = text(o, "pattern", s.Pattern)
	if len(s.Properties) > 0 {
		properties := make(map[string]any, len(s.Properties))
		for name, property := range s.Properties {
			properties[name] = p.schema(property)
		}
		o = append(o, member{"properties", properties})
	}
	o = list(o, "required", s.Required)
	o = text(o, "title", s.Title)
	o = text(o, "type", s.Type)
	o = flag(o, "uniqueItems", s.UniqueItems)
	o = flag(o, "x-kubernetes-embedded-resource", s.EmbeddedResource)
	o = flag(o, "x-kubernetes-int-or-string", s.IntOrString)
	o = list(o, "x-kubernetes-list-map-keys", s.ListMapKeys)
	o = text(o, "x-kubernetes-list-type", s.ListType)
	o = text(o, "x-kubernetes-map-type", s.MapType)
	o = flag(o, "x-kubernetes-preserve-unknown-fields", s.PreserveUnknownFields)
	rules := make([]object, len(s.Validations))
	for i, rule := range s.Validations {
		rules[i] = validation(rule)
	}
	return list(o, "x-kubernetes-validations", rules)
}

func (p printer) schemas(all []*model.Schema) []object {
	var out []object
	for _, s := range all {
		out = append(out, p.schema(s))
	}
	return out
}

func validation(rule model.Rule) object {
	var o object
	o = text(o, "fieldPath", rule.FieldPath)
	o = text(o, "message", rule.Message)
	o = text(o, "messageExpression", rule.MessageExpression)
	o = pointer(o, "optionalOldSelf", rule.OptionalOldSelf)
	o = text(o, "reason", rule.Reason)
	return append(o, member{"rule", rule.Rule})
}
