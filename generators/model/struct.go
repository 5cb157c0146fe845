package model

import (
	"go/token"
	"slices"
)

// StructPackage is an API package with the structs that apply configurations mirror.
type StructPackage struct {
	// Types is the package of the structs.
	Types Package
	// Group and Version are the API names of its group and version; Group is empty for the
	// core group.
	Group, Version string
	// GroupDir and VersionDir are the last two elements of the package's path.
	GroupDir, VersionDir string
	// GroupVersionVar is the name of the variable in Types that contains the group and
	// version; empty if there is none.
	GroupVersionVar string
	// Structs are in the order of their names in lower case.
	Structs []*Struct
	// Pos is the package's position in messages.
	Pos token.Position
}

// HasKinds reports whether one of the structs is a kind.
func (p *StructPackage) HasKinds() bool {
	return slices.ContainsFunc(p.Structs, func(s *Struct) bool { return s.Kind != nil })
}

// Struct is a struct type with fields that have JSON names. It is a kind that can be applied,
// or a type that occurs in one.
type Struct struct {
	Package *StructPackage
	// Name is the type's name.
	Name string
	// Kind is the kind, if the type is marked +genclient.
	Kind *Kind
	// Subresources are those of the kind, sorted: its status, and those of its methods.
	Subresources []string
	// Fields are those with JSON names, in the order of the source.
	Fields []*Field
	// Pos is the type's position.
	Pos token.Position
}

// Field is a field of a struct that has a JSON name.
type Field struct {
	// Name is the field's name; for an embedded field, that of its type.
	Name string
	// JSON is the name in JSON; empty for an embedded field whose fields are inlined.
	JSON     string
	Embedded bool
	// OmitEmpty reports whether the JSON tag has this option.
	OmitEmpty bool
	Type      *Type
	// Promoted are the fields of an embedded struct.
	Promoted []*Field
}

// Inline reports whether the fields of an embedded field are inlined in JSON.
func (f *Field) Inline() bool { return f.Embedded && f.JSON == "" }

// TypeForm distinguishes types.
type TypeForm int

// The forms of types.
const (
	// Named is a predeclared or declared type.
	Named TypeForm = iota
	Pointer
	Slice
	Map
	// Verbatim is any other type: an array, an instance of a generic type, an interface, a
	// struct.
	Verbatim
)

// Type is the type of a field. Aliases are replaced by what they refer to if that is part of
// the input.
type Type struct {
	Form TypeForm
	// Ref is the type if it is Named. Its package is zero for predeclared types.
	Ref TypeRef
	// Key is the type of keys of a map, Elem that of the elements of a map or slice, or that
	// a pointer points to.
	Key, Elem *Type
	// Parts are the text of a Verbatim type.
	Parts []TypePart
}

// TypePart is a part of a type's text: literal text, or a type.
type TypePart struct {
	Text string
	Type *Type
}

func (p *StructPackage) clone(kinds map[*Kind]*Kind) *StructPackage {
	pkg := *p
	pkg.Structs = make([]*Struct, len(p.Structs))
	for i, s := range p.Structs {
		copied := *s
		copied.Package, copied.Kind = &pkg, kinds[s.Kind]
		copied.Subresources = append([]string(nil), s.Subresources...)
		copied.Fields = cloneFields(s.Fields)
		pkg.Structs[i] = &copied
	}
	return &pkg
}

func cloneFields(fields []*Field) []*Field {
	if fields == nil {
		return nil
	}
	copied := make([]*Field, len(fields))
	for i, f := range fields {
		field := *f
		field.Type, field.Promoted = f.Type.clone(), cloneFields(f.Promoted)
		copied[i] = &field
	}
	return copied
}

func (t *Type) clone() *Type {
	if t == nil {
		return nil
	}
	copied := *t
	copied.Key, copied.Elem = t.Key.clone(), t.Elem.clone()
	copied.Parts = append([]TypePart(nil), t.Parts...)
	for i, p := range copied.Parts {
		copied.Parts[i].Type = p.Type.clone()
	}
	return &copied
}
