package schema

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/model"
)

// What API servers refuse is suspect: controller-gen generates it, and gen-all reports an error. CEL rules are not checked.

// refuse adds an error, or a warning of commands in place of controller-gen, about what servers refuse.
func (r *reader) refuse(pos token.Position, format string, args ...any) {
	if r.inRun(pos) {
		r.Diags.Suspectf(pos, format, args...)
	}
}

// schemaTypes are the types that a schema can have.
var schemaTypes = []string{"string", "number", "integer", "boolean", "array", "object"}

// checkSchema checks a flattened schema and those below it. Place is the closest position in the run.
func (r *reader) checkSchema(s *model.Schema, place token.Position) {
	if s == nil || r.checked[s] {
		return
	}
	r.checked[s] = true
	if at, ok := r.places[s]; ok && r.inRun(at) {
		place = at
	}
	switch {
	case r.faulty[place]: // it has no schema
	case s.Type == "" && !s.IntOrString && !s.PreserveUnknownFields:
		r.refuse(place, "value has no type, which API servers refuse; add +kubebuilder:validation:Type, or +kubebuilder:pruning:PreserveUnknownFields for any value")
	case s.Type != "" && !slices.Contains(schemaTypes, s.Type):
		r.refuse(place, "unknown type %q, which API servers refuse; want one of %s", s.Type, strings.Join(schemaTypes, ", "))
	}
	r.checkLimits(s, place)
	r.checkParts(s, place)
	r.checkResource(s, place)
	if len(s.Properties) > 0 && s.AdditionalProperties != nil {
		r.refuse(place, "value has both fields and fields of any name, so API servers refuse the schema; do not embed a map beside fields, or fields beside a map")
	}
	if s.UniqueItems {
		r.refuse(place, "API servers refuse +kubebuilder:validation:UniqueItems=true; use +listType=set")
	}
	switch {
	case s.ListType == "map":
		r.checkKeys(s, place)
	case len(s.ListMapKeys) > 0:
		r.refuse(place, "the list has keys, but +listType=%s, so API servers refuse it; use +listType=map", s.ListType)
	case s.ListType == "set" && s.Items != nil && s.Items.Type == "object" && s.Items.MapType != "atomic":
		r.refuse(place, "+listType=set needs items that are compared as a whole, so API servers refuse the list; add +structType=atomic to the type of the items, or use +listType=map or atomic")
	case s.ListType == "set" && s.Items != nil && s.Items.Type == "array" && s.Items.ListType != "" && s.Items.ListType != "atomic":
		r.refuse(place, "+listType=set needs items that are compared as a whole, so API servers refuse the list; add +listType=atomic to the type of the items")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		r.checkSchema(s.Properties[name], place)
	}
	r.checkSchema(s.Items, place)
	r.checkSchema(s.AdditionalProperties, place)
}

// checkParts checks the parts of a schema that are not merged, because a field and one of its name in an embedded struct
// both have them.
func (r *reader) checkParts(s *model.Schema, place token.Position) {
	for i, part := range s.AllOf {
		what := ""
		switch {
		case part.Default != nil:
			what = "a default"
		case part.Items != nil:
			what = "items"
		case i > 0 && len(part.AnyOf) > 0:
			what = "an anyOf"
		default:
			continue
		}
		r.refuse(place, "field has the name of one in an embedded struct, and both have %s, so API servers refuse the schema; rename one of them, or remove it", what)
	}
	if !r.shared[s] || s.Default == nil { // the default of one field was compared at its marker
		return
	}
	at, why := mismatch(s.Default, s, "")
	if why == "" {
		at, why = outside(s.Default, s, "")
	}
	if why != "" {
		r.refuse(place, "field has the name of one in an embedded struct, and the default of one does not fit the other, so API servers refuse the schema: default%s %s", at, why)
	}
}

// checkResource checks the schema of a whole object within another.
func (r *reader) checkResource(s *model.Schema, place token.Position) {
	if !s.EmbeddedResource {
		return
	}
	if s.Type != "object" && s.Type != "" {
		r.refuse(place, "value of type %s is marked as an object with kind and metadata, so API servers refuse the schema; remove +kubebuilder:validation:EmbeddedResource", s.Type)
		return
	}
	if len(s.Properties) == 0 && !s.PreserveUnknownFields {
		r.refuse(place, "the object's fields are not known, so API servers refuse the schema; add +kubebuilder:pruning:PreserveUnknownFields")
	}
	for _, field := range []struct{ name, typ string }{{"apiVersion", "string"}, {"kind", "string"}, {"metadata", "object"}} {
		if property := s.Properties[field.name]; property != nil && property.Type != field.typ {
			r.refuse(place, "field %s of an object with kind and metadata is of type %s, so API servers refuse the schema; want %s", field.name, property.Type, field.typ)
		}
	}
}

// checkLimits warns about limits that no value fits. Servers accept them.
func (r *reader) checkLimits(s *model.Schema, place token.Position) {
	if s.Minimum != nil && s.Maximum != nil && (*s.Minimum > *s.Maximum || *s.Minimum == *s.Maximum && (s.ExclusiveMinimum || s.ExclusiveMaximum)) {
		r.warnf(place, "minimum %v and maximum %v allow no value; change one of them", *s.Minimum, *s.Maximum)
	}
	for _, limits := range []struct {
		what        string
		least, most *int64
	}{{"lengths", s.MinLength, s.MaxLength}, {"numbers of items", s.MinItems, s.MaxItems}, {"numbers of fields", s.MinProperties, s.MaxProperties}} {
		if limits.least != nil && limits.most != nil && *limits.least > *limits.most {
			r.warnf(place, "minimum %d and maximum %d of %s allow no value; change one of them", *limits.least, *limits.most, limits.what)
		}
	}
}

// checkKeys checks a list with keys.
func (r *reader) checkKeys(s *model.Schema, place token.Position) {
	if len(s.ListMapKeys) == 0 {
		r.refuse(place, "+listType=map needs the keys of the list's items; add +listMapKey=NAME for each")
	}
	if s.Items == nil {
		return
	}
	for _, key := range s.ListMapKeys {
		property := s.Items.Properties[key]
		switch {
		case property == nil: // reported at the marker
		case property.Default == nil && !slices.Contains(s.Items.Required, key):
			r.refuse(place, "key %s of the list is neither required nor has a default, so API servers refuse the list; mark the field +required, or add +kubebuilder:default", key)
		case property.Nullable:
			r.refuse(place, "key %s of the list can be null, so API servers refuse the list; remove +nullable from the field", key)
		}
	}
}

// Columns of tables that kubectl prints.
var (
	columnTypes   = []string{"integer", "number", "string", "boolean", "date"}
	columnFormats = []string{"int32", "int64", "float", "double", "byte", "date", "date-time", "password"}
)

// checkVersion checks the markers of a kind against the schema of a version.
func (r *reader) checkVersion(k *kind, v *model.CRDVersion) {
	r.checkSchema(v.Schema, k.pos)
	for _, m := range k.declared.markers {
		switch m.Name {
		case "kubebuilder:printcolumn":
			r.checkColumn(m, v.Schema)
		case "kubebuilder:selectablefield":
			r.checkSelectable(m, v.Schema)
		case "kubebuilder:subresource:scale":
			r.checkScale(m, v.Schema)
		}
	}
}

func (r *reader) checkColumn(m *kubemarker.Marker, root *model.Schema) {
	typ, format, path := m.Argument("type"), m.Argument("format"), m.Argument("JSONPath")
	if !slices.Contains(columnTypes, typ) {
		r.refuse(m.Pos, "unknown type %q of a column%s", typ, choices(typ, columnTypes))
	}
	if format != "" && !slices.Contains(columnFormats, format) {
		r.refuse(m.Pos, "unknown format %q of a column%s", format, choices(format, columnFormats))
	}
	if !strings.HasPrefix(path, ".") {
		r.refuse(m.Pos, "JSONPath %q does not start with a dot; write .%s", path, path)
		return
	}
	if _, why := walk(root, path); why != "" {
		r.warnf(m.Pos, "JSONPath %s of the column: %s", path, why)
	}
}

func (r *reader) checkSelectable(m *kubemarker.Marker, root *model.Schema) {
	path := m.Argument("JSONPath")
	found, why := walk(root, path)
	switch {
	case !strings.HasPrefix(path, "."):
		r.refuse(m.Pos, "JSONPath %q does not start with a dot; write .%s", path, path)
	case path == ".metadata" || strings.HasPrefix(path, ".metadata."):
		r.refuse(m.Pos, "JSONPath %s is in the metadata, of which servers select by name and namespace anyway; remove the marker", path)
	case why != "":
		r.refuse(m.Pos, "JSONPath %s of the selectable field: %s", path, why)
	case found != nil && !slices.Contains([]string{"string", "boolean", "integer"}, found.Type):
		r.refuse(m.Pos, "JSONPath %s of the selectable field is not a string, boolean or integer, which alone can be selected by; remove the marker, or name another field", path)
	}
}

func (r *reader) checkScale(m *kubemarker.Marker, root *model.Schema) {
	for _, argument := range []struct {
		name     string
		prefixes []string
	}{{"specpath", []string{".spec."}}, {"statuspath", []string{".status."}}, {"selectorpath", []string{".spec.", ".status."}}} {
		path := m.Argument(argument.name)
		if path == "" {
			continue
		}
		if !slices.ContainsFunc(argument.prefixes, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
			r.refuse(m.Pos, "%s=%s does not start with %s, so API servers refuse it; name a field there", argument.name, path, strings.Join(argument.prefixes, " or "))
			continue
		}
		if _, why := walk(root, path); why != "" {
			r.warnf(m.Pos, "%s=%s: %s", argument.name, path, why)
		}
	}
}
