package model

import (
	"go/token"
	"slices"
)

// TypeDecl is the declaration of a type in an API package.
type TypeDecl struct {
	Package *APIPackage
	// Name is the type's name.
	Name string
	// Doc is the text of the doc comment without markers.
	Doc string
	// Markers are the markers in the comments above the type, in order.
	Markers []Marker
	// Kind is the kind, if the type has a client.
	Kind *Kind
	// Alias reports whether the declaration is an alias, and Generic whether it has type parameters, which occur in
	// types as names without a package.
	Alias, Generic bool
	// Struct reports whether the type is declared as a struct. Fields are its fields, in the order of the source.
	Struct bool
	Fields []*FieldDecl
	// Type is what a type that is not a struct is declared as; nil for a struct.
	Type *Type
	// Methods are the names of the methods of the type and of pointers to it, sorted, without those in files that
	// build constraints exclude, such as generated ones.
	Methods []string
	// Pos is the position of the name.
	Pos token.Position
}

// Exported reports whether other packages can name the type.
func (t *TypeDecl) Exported() bool { return token.IsExported(t.Name) }

// Field returns the field with a name, or nil. It does not look into embedded structs.
func (t *TypeDecl) Field(name string) *FieldDecl {
	i := slices.IndexFunc(t.Fields, func(f *FieldDecl) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return t.Fields[i]
}

// FieldDecl is a field of a struct.
type FieldDecl struct {
	// Name is the field's name; for an embedded field, that of its type.
	Name     string
	Embedded bool
	// JSON is the name in JSON; empty for a field that encoding/json does not encode, and for an embedded one whose
	// fields are inlined, which Inline reports.
	JSON   string
	Inline bool
	// OmitEmpty reports whether the JSON tag has this option.
	OmitEmpty bool
	// Tag is the whole tag, unquoted.
	Tag  string
	Type *Type
	// Doc is the text of the comment above the field without markers.
	Doc string
	// Markers are the markers in that comment, in order.
	Markers []Marker
	// Pos is the position of the name or, for an embedded field, of its type.
	Pos token.Position
}

// Exported reports whether other packages can name the field.
func (f *FieldDecl) Exported() bool { return token.IsExported(f.Name) }

// Indirect returns the type without pointers around it, and whether there were any.
func (t *Type) Indirect() (elem *Type, pointer bool) {
	for elem = t; elem.Form == Pointer; elem = elem.Elem {
		pointer = true
	}
	return elem, pointer
}

// TypeDecl returns the declaration of a type in the packages of the run; nil for predeclared types, for types that
// are not named, for those of other packages, and if declarations were not read.
func (a *API) TypeDecl(t *Type) *TypeDecl {
	if t == nil || t.Form != Named || t.Ref.Package.Path == "" {
		return nil
	}
	for _, p := range a.Packages {
		if p.Types.Path == t.Ref.Package.Path {
			return p.TypeDecl(t.Ref.Name)
		}
	}
	return nil
}

// TypeDecl returns the declaration of a type, or nil.
func (p *APIPackage) TypeDecl(name string) *TypeDecl {
	i := slices.IndexFunc(p.TypeDecls, func(t *TypeDecl) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return p.TypeDecls[i]
}

// Ref returns the type that the declaration names.
func (t *TypeDecl) Ref() *Type {
	return &Type{Ref: TypeRef{Package: t.Package.Types, Name: t.Name}}
}

func (t *TypeDecl) clone(pkg *APIPackage, kinds map[*Kind]*Kind) *TypeDecl {
	decl := *t
	decl.Package, decl.Kind = pkg, kinds[t.Kind]
	decl.Markers, decl.Methods = slices.Clone(t.Markers), slices.Clone(t.Methods)
	decl.Type = t.Type.clone()
	decl.Fields = nil
	for _, f := range t.Fields {
		field := *f
		field.Type, field.Markers = f.Type.clone(), slices.Clone(f.Markers)
		decl.Fields = append(decl.Fields, &field)
	}
	return &decl
}
