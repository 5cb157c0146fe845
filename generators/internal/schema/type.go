package schema

import (
	"go/token"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/model"
)

// declare returns the entry of a declared type.
func (r *reader) declare(t *resolve.Type) *declared {
	d := r.types[t]
	if d == nil {
		d = &declared{typ: t}
		r.types[t] = d
		decl := declarationOf(t)
		groups, doc := typeComments(decl)
		d.doc = description(doc)
		d.markers = r.parse(decl.File, kubemarker.OnType, kubemarker.Lines(decl.File, groups...))
	}
	return d
}

// declarationOf returns the declaration of a type's alias or, if it has none, of the type; nil if it has neither.
func declarationOf(t *resolve.Type) *load.Type {
	if t.Alias() != nil {
		return t.Alias()
	}
	return t.Decl()
}

// schema returns the schema of a declared type.
func (r *reader) schema(d *declared) *model.Schema {
	if d.schema != nil {
		return d.schema
	}
	outer := r.reading
	r.reading = d
	defer func() { r.reading = outer }()
	t := d.typ
	if t.Alias() == nil {
		if s := r.knownSchema(t); s != nil {
			d.schema = s
			return s
		}
	}
	d.schema = &model.Schema{} // ends recursion
	if s := r.marshaled(d); s != nil {
		d.schema = s
		return s
	}
	decl := declarationOf(t)
	pos := decl.Pos()
	rhs := r.declaredAs(t)
	s := &model.Schema{}
	if rhs.Decl() == nil && rhs.Kind() == resolve.Struct {
		s = r.structure(d, rhs)
	} else {
		s = r.use(rhs, r.aliasOf(decl.File, decl.Spec.Type), pos)
	}
	r.places[s] = pos
	s.Description = d.doc
	r.apply(s, d.markers, d)
	d.schema = s
	return s
}

// declaredAs returns the type that a type is declared as, which can be a declared one too.
func (r *reader) declaredAs(t *resolve.Type) *resolve.Type {
	decl := declarationOf(t)
	if decl.Spec.TypeParams != nil {
		return t.Underlying()
	}
	return r.Resolver.Expr(decl.File, decl.Spec.Type)
}

// marshaled returns the schema of a type with its own encoding: of one with MarshalJSON if its markers
// have a type, and a string for one with MarshalText. Otherwise it returns nil.
func (r *reader) marshaled(d *declared) *model.Schema {
	switch {
	case r.implements(d.typ, "MarshalJSON"):
		s := &model.Schema{}
		r.places[s] = declarationOf(d.typ).Pos()
		for _, m := range d.markers {
			if m.Name == "kubebuilder:validation:Type" && !m.Items && m.Value != "" {
				r.apply(s, d.markers, d)
				return s
			}
		}
	case r.implements(d.typ, "MarshalText"):
		s := &model.Schema{Type: "string"}
		r.places[s] = declarationOf(d.typ).Pos()
		r.apply(s, d.markers, d)
		if s.Type != "string" {
			r.errorf(declarationOf(d.typ).Pos(), "type %s has the method MarshalText, so its JSON is a string, not of type %q; remove the marker", d.name(), s.Type)
		}
		return s
	}
	return nil
}

// implements reports whether a type or a pointer to it has a method like MarshalJSON, declared or
// promoted.
func (r *reader) implements(t *resolve.Type, name string) bool {
	seen := map[*resolve.Type]bool{}
	for level := []*resolve.Type{t}; len(level) > 0; {
		count := 0
		var next []*resolve.Type
		for _, t := range level {
			if t.Kind() == resolve.Pointer {
				t = t.Elem()
			}
			if seen[t] || t.Decl() == nil {
				continue
			}
			seen[t] = true
			if m, _ := t.Method(name); m != nil {
				if !m.Excluded && len(m.Params) == 0 && len(m.Results) == 2 && m.Results[1].Name() == "error" {
					count++
				}
				continue
			}
			for _, f := range t.Fields() {
				if f.Embedded {
					next = append(next, f.Type)
				}
			}
		}
		if count > 0 {
			return count == 1
		}
		level = next
	}
	return false
}

// use returns the schema for the use of a type, or of an alias of it that describes the use, at a place.
func (r *reader) use(t *resolve.Type, alias *load.Type, at token.Position) *model.Schema {
	s := &model.Schema{}
	r.places[s] = at
	if t.Is("encoding/json", "RawMessage") {
		s.PreserveUnknownFields = true
		r.errorf(at, "json.RawMessage has no schema; use apiextensionsv1.JSON, or mark the field with +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields")
		return s
	}
	if alias != nil {
		t = r.Resolver.Alias(alias)
	}
	if declarationOf(t) != nil {
		r.refs[s] = r.declare(t)
		return s
	}
	switch t.Kind() {
	case resolve.Basic:
		r.basic(s, t.Name(), at)
	case resolve.Pointer:
		return r.element(t, at)
	case resolve.Slice, resolve.Array:
		if t.Kind() == resolve.Slice && t.Elem().Decl() == nil && t.Elem().Name() == "byte" {
			s.Type, s.Format = "string", "byte"
			break
		}
		s.Type, s.Items = "array", r.element(t, at)
	case resolve.Map:
		r.key(t.Key(), at)
		s.Type, s.AdditionalProperties = "object", r.element(t, at)
	case resolve.Struct:
		s.Type = "object"
		r.errorf(at, "struct without a name has no schema; declare it as a type")
	case resolve.Interface:
		r.errorf(at, "interfaces have no schema; use apiextensionsv1.JSON or runtime.RawExtension for any value, or a type")
	case resolve.Unknown:
		s.PreserveUnknownFields = true // one error is enough
		if r.Unread {
			break
		}
		r.errorf(at, "%s has no schema: %v; download the module with go mod tidy or go mod download", t, t.Err())
	default:
		r.errorf(at, "%s has no schema; use a type with a JSON form", t)
	}
	return s
}

// element returns the schema of the elements of a literal.
func (r *reader) element(t *resolve.Type, at token.Position) *model.Schema {
	return r.use(t.Elem(), r.aliasOf(t.File(), t.ElemExpr()), at)
}

// basic sets the type of a predeclared type.
func (r *reader) basic(s *model.Schema, name string, at token.Position) {
	switch name {
	case "bool":
		s.Type = "boolean"
	case "string":
		s.Type = "string"
	case "int32", "uint32", "rune":
		s.Type, s.Format = "integer", "int32"
	case "int64", "uint64":
		s.Type, s.Format = "integer", "int64"
	case "int", "int8", "int16", "uint", "uint8", "uint16", "uintptr", "byte":
		s.Type = "integer"
	case "float32", "float64":
		s.Type = "number"
		if !r.AllowDangerousTypes {
			report := r.errorf
			if r.All {
				report = r.advisef
			}
			report(at, "%s is discouraged because clients round it differently; use resource.Quantity, a string or an integer, or allow it with --allow-dangerous-types", name)
		}
	default:
		r.errorf(at, "%s has no schema; use a type with a JSON form", name)
	}
}

// key checks the type of the keys of a map.
func (r *reader) key(t *resolve.Type, at token.Position) {
	if t.Kind() == resolve.Basic && t.Underlying().Name() == "string" || t.Decl() != nil && r.implements(t, "MarshalText") {
		return
	}
	if r.All && isIntegerType(t) {
		r.advisef(at, "keys of maps are strings in JSON, so clients in other languages get texts in place of numbers; use map[string]")
		return
	}
	r.errorf(at, "keys of maps must be strings in JSON, not %s; use map[string]", t)
}

// isIntegerType reports whether the values of a type are integers, which encoding/json writes as texts if they are keys of
// maps.
func isIntegerType(t *resolve.Type) bool {
	return t.Kind() == resolve.Basic && strings.Contains(t.Underlying().Name(), "int") && t.Underlying().Name() != "uintptr"
}

// shape returns the shape of a schema, of which the references are followed.
func (r *reader) shape(s *model.Schema) kubemarker.Shape {
	for range 100 { // in a cycle of declarations
		ref := r.refs[s]
		switch {
		case s.IntOrString:
			return kubemarker.IntOrString
		case s.Type == "string":
			return kubemarker.Textual
		case s.Type == "integer":
			return kubemarker.Integer
		case s.Type == "number":
			return kubemarker.Fraction
		case s.Type == "boolean":
			return kubemarker.Boolean
		case s.Type == "array":
			return kubemarker.Array
		case s.Type == "object":
			return kubemarker.Object
		case ref == nil:
			return kubemarker.Untyped
		}
		s = r.schema(ref)
	}
	return kubemarker.Untyped
}

// inRun reports whether a position is in a package of the run.
func (r *reader) inRun(pos token.Position) bool {
	dir, _ := cutLast(pos.Filename)
	return r.own[dir]
}

// cutLast splits a path before its last element.
func cutLast(path string) (dir, base string) {
	i := strings.LastIndexAny(path, `/\`)
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

// owned reports whether a file is in a package of the run.
func (r *reader) owned(f *load.File) bool { return r.own[f.Package.Dir] }
