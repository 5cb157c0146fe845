package schema

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/model"
)

// jsonTag describes the JSON tag of a field.
type jsonTag struct {
	name string
	// skip reports that the field has no JSON, inline that its fields are the struct's, and omit that
	// it can be missing.
	skip, inline, omit bool
}

// parseTag parses the tag of a field; ok is false if it has none for JSON.
func parseTag(tag string) (t jsonTag, ok bool) {
	value, ok := reflect.StructTag(tag).Lookup("json")
	options := strings.Split(value, ",")
	t.name = options[0]
	t.skip = value == "-"
	t.inline = t.name == "" || slices.Contains(options[1:], "inline")
	t.omit = slices.Contains(options[1:], "omitempty") || slices.Contains(options[1:], "omitzero")
	return t, ok
}

// property is a field of a struct that is part of the JSON.
type property struct {
	*resolve.Field
	jsonTag
	markers []*kubemarker.Marker
}

// marked returns the first marker with one of the names, or nil.
func (p *property) marked(names ...string) *kubemarker.Marker { return find(p.markers, names...) }

func find(markers []*kubemarker.Marker, names ...string) *kubemarker.Marker {
	for _, m := range markers {
		if slices.Contains(names, m.Name) && !m.Items {
			return m
		}
	}
	return nil
}

// properties returns the fields of a struct that are part of its JSON.
func (r *reader) properties(d *declared, t *resolve.Type) []*property {
	var list []*property
	parsed := map[*ast.Field][]*kubemarker.Marker{} // several fields can have one declaration
	syntax, _ := t.Underlying().Expr().(*ast.StructType)
	for _, f := range t.Fields() {
		if r.IgnoreUnexported && !f.Embedded && !token.IsExported(f.Name) {
			continue
		}
		tag, ok := parseTag(f.Tag)
		if !ok && f.Embedded && f.Type.Is(metaV1, "TypeMeta") {
			ok = true // encoding/json inlines it
		}
		if !ok {
			r.untagged(d, f)
			continue
		}
		if tag.skip {
			continue
		}
		if r.All && !f.Embedded && !token.IsExported(f.Name) {
			r.Diags.Warnf(r.blame(f.Pos), "field %s of type %s is not exported, so it is not part of the JSON and is left out; export it, or remove its tag", f.Name, d.name())
			continue
		}
		markers, known := parsed[f.Syntax]
		if !known {
			markers = r.parse(f.File, kubemarker.OnField, kubemarker.Lines(f.File, fieldComments(f.File, syntax, f.Syntax)...))
			parsed[f.Syntax] = markers
		}
		list = append(list, &property{Field: f, jsonTag: tag, markers: markers})
	}
	return list
}

// untagged reports a field without a JSON tag.
func (r *reader) untagged(d *declared, f *resolve.Field) {
	switch {
	case d.typ.Is("time", "Time"):
		r.errorf(f.Pos, "type time.Time has no schema; use metav1.Time")
	case !r.inRun(f.Pos):
		r.errorf(f.Pos, "type %s of package %s has no schema, because its field %s has no JSON tag; use another type, or mark the field with +kubebuilder:validation:Schemaless", d.name(), d.typ.Path(), f.Name)
	case strings.HasPrefix(f.Tag, "json:") && f.Syntax.Tag != nil:
		name := strings.Trim(strings.TrimPrefix(f.Tag, "json:"), `"' `)
		meant := `json:"` + name + `"`
		at := f.File.Package.Position(f.Syntax.Tag.Pos())
		r.Diags.Fix(diag.Edit{Line: at.Line, Column: at.Column, Old: f.Syntax.Tag.Value, New: "`" + meant + "`"}).Errorf(f.Pos,
			"tag %s of field %s is not in the form of Go, so it has no effect; write `%s`", f.Tag, f.Name, meant)
	default:
		r.errorf(f.Pos, "field %s of type %s has no JSON tag; add `json:\"%s\"`, or `json:\"-\"` to leave it out", f.Name, d.name(), lowerFirst(f.Name))
	}
}

func lowerFirst(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToLower(name[:1]) + name[1:]
}

// structure returns the schema of a struct.
func (r *reader) structure(d *declared, t *resolve.Type) *model.Schema {
	s := &model.Schema{Type: "object", Properties: map[string]*model.Schema{}}
	r.checkNames(d, t)
	oneOf := oneOfFields(d.markers)
	var immutable []string
	for _, p := range r.properties(d, t) {
		if r.required(p) {
			if m := oneOf[p.name]; m != nil {
				r.errorf(p.Pos, "field %s is required, which contradicts +%s of type %s; mark it +optional and add omitempty to its tag", p.name, m.Name, d.name())
			}
			s.Required = append(s.Required, p.name)
		}
		schema := r.property(p)
		if p.inline {
			s.AllOf = append(s.AllOf, schema)
			continue
		}
		if p.marked("k8s:immutable") != nil {
			immutable = append(immutable, p.name)
		}
		s.Properties[p.name] = schema
	}
	slices.Sort(s.Required)
	for _, name := range immutable {
		if !slices.Contains(s.Required, name) {
			// Rules of a field are not evaluated when it is removed.
			s.Validations = append(s.Validations, model.Rule{
				Rule:    fmt.Sprintf("!has(oldSelf.%s) || has(self.%s)", name, name),
				Message: fmt.Sprintf("field %s is immutable once set", name),
			})
		}
	}
	return s
}

// property returns the schema of a field.
func (r *reader) property(p *property) *model.Schema {
	s := &model.Schema{}
	if p.marked("kubebuilder:validation:Schemaless") == nil {
		s = r.use(p.Type, r.aliasOf(p.File, p.Syntax.Type), p.Pos)
	}
	r.places[s] = p.Pos
	s.Description = description(p.Syntax.Doc)
	if p.inline && !p.Embedded && p.name == "" {
		r.warnf(p.Pos, "field %s has no JSON name, so its schema becomes part of the struct's, but its JSON has the name %s; add a name to the tag", p.Name, p.Name)
	}
	r.apply(s, p.markers, nil)
	return s
}

// required reports whether a field is required: by its markers, or otherwise by its tag.
func (r *reader) required(p *property) bool {
	switch {
	case p.marked("kubebuilder:validation:Optional") != nil:
		return false
	case p.marked("kubebuilder:validation:Required") != nil:
		return true
	case p.marked("optional", "k8s:optional") != nil:
		return false
	case p.marked("required", "k8s:required") != nil:
		return true
	}
	return !p.inline && !p.omit && !r.packageOf(p.File.Package).optional
}

// oneOfFields returns the markers AtMostOneOf and the like by the fields that they name.
func oneOfFields(markers []*kubemarker.Marker) map[string]*kubemarker.Marker {
	fields := map[string]*kubemarker.Marker{}
	for _, m := range markers {
		if strings.HasSuffix(m.Name, "OneOf") {
			names, _ := m.Value.([]string)
			for _, name := range names {
				fields[name] = m
			}
		}
	}
	return fields
}
