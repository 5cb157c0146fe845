// Package view checks the fields of views against the types of their kinds.
//
// A view is a struct of the user with some fields of a kind's type. Each field must have the JSON name of a field
// there, and a type that decodes what the other encodes: the same type, one with the same form, or a struct that is
// itself a view of the other's. It can have a value where the kind has a pointer, but not the reverse: whether a pointer to an
// empty value is nil would depend on the format. [Read] also reads what generated
// code needs to know: the numbers of the fields in protobuf, and which metadata there is.
//
// Nothing is type-checked. Fields without a JSON name ("-") and unexported fields belong to the user, and are ignored.
package view

import (
	"reflect"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/model"
)

// Read checks the fields of all views, and completes the views.
func Read(found *kinds.Found, resolver *resolve.Resolver, diags *diag.List) {
	for _, v := range found.API.Versions() {
		for _, k := range v.Kinds {
			if k.View == nil {
				continue
			}
			c := &checker{kind: k, diags: diags, binary: hasMethods(found.Viewed[k].File.Package)}
			view, of := resolver.Decl(found.Declarations[k].Type), resolver.Decl(found.Viewed[k])
			c.fields(view, of, "")
			c.metadata(view, of)
			if c.binary {
				k.View.Numbers = strings.Join(c.numbers, " ")
			}
		}
	}
}

// checker checks the fields of one view.
type checker struct {
	kind  *model.Kind
	diags *diag.List
	// numbers are those of the fields so far, and binary reports whether all of them have one.
	numbers []string
	binary  bool
	// within are the declared structs of the view that contain the current field.
	within []*resolve.Type
}

// member is a field that is part of a struct's JSON.
type member struct {
	*resolve.Field
	name string
	// number is that in protobuf: of the messages for embedded structs, and its own.
	number string
	// path is how Go code reaches the field in the struct, and pointer reports whether it is in one that is embedded by a
	// pointer.
	path    string
	pointer bool
}

// members returns the fields that are part of a struct's JSON, with those of embedded structs, in the order of the
// source. Number and path are those of the embedded struct, with a dot at the end.
func members(t *resolve.Type, number, path string, depth int) []member {
	const deepest = 20
	var list []member
	for _, f := range t.Fields() {
		name, options, _ := strings.Cut(reflect.StructTag(f.Tag).Get("json"), ",")
		own := ""
		if parts := strings.Split(reflect.StructTag(f.Tag).Get("protobuf"), ","); len(parts) > 1 {
			own = number + parts[1]
		}
		switch inline := f.Embedded && name == "" || options == "inline"; {
		case name == "-" && options == "", f.Name == "" || !f.Embedded && !isUpper(f.Name):
		case inline && f.Name == "TypeMeta":
		case inline && depth < deepest:
			embedded, pointer := f.Type, false
			if embedded.Kind() == resolve.Pointer {
				embedded, pointer = embedded.Elem(), true
			}
			below := ""
			if own != "" {
				below = own + "."
			}
			for _, m := range members(embedded, below, path+f.Name+".", depth+1) {
				m.pointer = m.pointer || pointer
				list = append(list, m)
			}
		default:
			if name == "" {
				name = f.Name
			}
			list = append(list, member{Field: f, name: name, number: own, path: path + f.Name})
		}
	}
	return list
}

func isUpper(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }

// fields checks the fields of a struct of the view against those of the kind's struct.
func (c *checker) fields(view, of *resolve.Type, path string) {
	known := map[string]member{}
	var names []string
	for _, m := range members(of, "", "", 0) {
		if _, twice := known[m.name]; !twice {
			known[m.name] = m
			names = append(names, m.name)
		}
	}
	seen := map[string]bool{}
	for _, m := range members(view, "", "", 0) {
		if m.pointer {
			c.diags.Errorf(m.Pos, "field %s of view %s is in a struct that is embedded by a pointer; embed the struct itself", m.Name, c.kind.Name)
		}
		if seen[m.name] {
			c.diags.Errorf(m.Pos, "view %s has the JSON name %q twice; remove one of the fields", c.kind.Name, m.name)
			continue
		}
		seen[m.name] = true
		real, ok := known[m.name]
		if !ok {
			c.unknown(m, of, known, names)
			continue
		}
		if real.number == "" {
			c.binary = false
		}
		c.numbers = append(c.numbers, path+m.name+"="+real.number)
		c.field(m, real, path+m.name)
	}
}

// unknown adds an error for a field that the kind's struct does not have.
func (c *checker) unknown(m member, of *resolve.Type, known map[string]member, names []string) {
	for _, name := range names {
		if known[name].Name == m.Name {
			c.diags.Errorf(m.Pos, "field %s of view %s has the JSON name %q, but %s has it as %q; add the tag `json:\"%s\"`", m.Name, c.kind.Name, m.name, of, name, name)
			return
		}
	}
	hint := ""
	if near := marker.Nearest(m.name, names); near != "" {
		hint = "; did you mean " + near + "?"
	}
	c.diags.Errorf(m.Pos, "field %s of view %s has the JSON name %q, which no field of %s has%s", m.Name, c.kind.Name, m.name, of, hint)
}

// field checks the type of a field.
func (c *checker) field(m, real member, path string) {
	view, of := m.Type, real.Type
	if of.Kind() == resolve.Pointer && of.Decl() == nil {
		of = of.Elem()
		if view.Kind() == resolve.Pointer && view.Decl() == nil {
			view = view.Elem()
		}
	}
	if err := view.Err(); err != nil {
		c.diags.Errorf(m.Pos, "type of field %s of view %s cannot be determined: %v", m.Name, c.kind.Name, err)
		return
	}
	if err := of.Err(); err != nil {
		c.diags.Errorf(m.Pos, "type of %s in %s cannot be determined: %v; leave the field out of view %s, or download the module", path, c.kind.View.Of.Name, err, c.kind.Name)
		return
	}
	if !c.compatible(view, of, path, m) {
		c.diags.Errorf(m.Pos, "field %s of view %s has type %s, which does not decode the %s of %s in %s; use that type%s", m.Name, c.kind.Name, m.Type, real.Type, path, c.kind.View.Of.Name, alternative(of))
	}
}

// alternative returns what else a field may be, besides a type.
func alternative(of *resolve.Type) string {
	if decodesItself(of) {
		return ""
	}
	switch of.Kind() {
	case resolve.Basic:
		if of.Decl() != nil {
			return " or " + of.Underlying().Name()
		}
	case resolve.Struct:
		return ", or a struct with some of its fields"
	case resolve.Slice:
		if of.Elem().Kind() == resolve.Struct {
			return ", or a slice of structs with some of its fields"
		}
	}
	return ""
}

// compatible reports whether a type of the view decodes what a type of the kind encodes. It checks the fields of structs.
func (c *checker) compatible(view, of *resolve.Type, path string, m member) bool {
	c.binary = c.binary && inBinary(of)
	if resolve.Identical(view, of) {
		return true
	}
	if decodesItself(of) || decodesItself(view) || view.Kind() != of.Kind() {
		return false
	}
	switch of.Kind() {
	case resolve.Basic:
		return resolve.Identical(view.Underlying(), of.Underlying())
	case resolve.Slice:
		return c.elements(view, of, path, m)
	case resolve.Map:
		return resolve.Identical(view.Key().Underlying(), of.Key().Underlying()) && c.elements(view, of, path, m)
	case resolve.Struct:
		if slices.Contains(c.within, view) {
			c.diags.Errorf(m.Pos, "struct %s of view %s contains itself; a view has a fixed depth, so declare a struct for each level", view, c.kind.Name)
			return true
		}
		c.within = append(c.within, view)
		c.fields(view, of, path+".")
		c.within = c.within[:len(c.within)-1]
		return true
	}
	return false
}

// elements checks the elements of slices and the values of maps.
func (c *checker) elements(view, of *resolve.Type, path string, m member) bool {
	view, of = view.Elem(), of.Elem()
	if view.Kind() == resolve.Pointer && of.Kind() == resolve.Pointer {
		view, of = view.Elem(), of.Elem()
	}
	return c.compatible(view, of, path, m)
}

// hasMethods reports whether the types of a package have protobuf methods, without which there are no such bodies of them.
func hasMethods(p *load.Package) bool { return p.Has("generated.pb.go") }

// inBinary reports whether clients decode values of a type from protobuf: all that built-in kinds have.
func inBinary(t *resolve.Type) bool {
	switch t.Kind() {
	case resolve.Basic:
		return slices.Contains([]string{"bool", "int32", "int64", "uint32", "uint64", "string", "byte", "uint8"}, t.Underlying().Name())
	case resolve.Struct:
		return t.Decl() != nil && hasMethods(t.Decl().File.Package)
	case resolve.Pointer:
		return t.Elem().Kind() != resolve.Slice && t.Elem().Kind() != resolve.Map && inBinary(t.Elem())
	case resolve.Slice:
		if t.Elem().Kind() == resolve.Slice {
			return t.Elem().Elem().Name() == "byte"
		}
		return inBinary(t.Elem()) && t.Elem().Kind() != resolve.Map
	case resolve.Map:
		switch elem := t.Elem(); elem.Kind() {
		case resolve.Basic:
			return elem.Underlying().Name() == "string"
		case resolve.Struct:
			return inBinary(elem)
		case resolve.Slice: // bytes, or a type with methods
			return elem.Decl() != nil && hasMethods(elem.Decl().File.Package) || elem.Elem().Name() == "byte"
		}
	}
	return false
}

// decodesItself reports whether values of a type are decoded by a method of it, or whether that is unknown.
func decodesItself(t *resolve.Type) bool {
	if t.Decl() == nil {
		return false
	}
	for _, name := range []string{"UnmarshalJSON", "UnmarshalText"} {
		if m, err := t.Method(name); m != nil || err != nil {
			return true
		}
	}
	return false
}
