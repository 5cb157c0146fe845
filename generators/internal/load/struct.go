package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
)

// Field is a field of a struct type.
type Field struct {
	Name     string
	Embedded bool
	Tag      string
	Type     ast.Expr
	// File declares the field; the package names in Type refer to its imports.
	File *File
	// Syntax is the declaration; fields that are declared together share it.
	Syntax *ast.Field

	at token.Pos
}

// Pos returns the position of the field's name or, if it is embedded, of its type.
func (f *Field) Pos() token.Position { return f.File.Package.Position(f.at) }

// Field returns a field of t, or nil if there is none of this name. t can be a struct, an
// alias of a struct, a type defined by a struct, or an instance of a generic struct. With
// promoted, fields of embedded structs are included; as in Go, the shallowest one wins.
//
// Field returns an error if it does not find the field and cannot read a struct that might
// contain it.
func (t *Type) Field(name string, promoted bool) (*Field, error) {
	var unread error
	seen := map[*Type]bool{}
	for level := []*Type{t}; len(level) > 0; {
		var next []*Type
		for _, t := range level {
			if seen[t] {
				continue
			}
			seen[t] = true
			fields, err := t.fields(map[*Type]bool{})
			unread = errors.Join(unread, err)
			for _, f := range fields {
				if f.Name == name {
					return f, nil
				}
				if !promoted || !f.Embedded || isMeta(f.Name) {
					continue
				}
				embedded, err := f.File.Resolve(f.Type)
				unread = errors.Join(unread, err)
				if embedded != nil {
					next = append(next, embedded)
				}
			}
		}
		level = next
	}
	return nil, unread
}

// isMeta reports whether an embedded field is one of apimachinery's, whose fields are never
// looked up.
func isMeta(name string) bool {
	return name == "TypeMeta" || name == "ObjectMeta" || name == "ListMeta"
}

// fields returns the fields of t's underlying struct.
func (t *Type) fields(seen map[*Type]bool) ([]*Field, error) {
	if seen[t] {
		return nil, nil
	}
	seen[t] = true
	structure, ok := ast.Unparen(t.Spec.Type).(*ast.StructType)
	if !ok {
		target, err := t.File.Resolve(t.Spec.Type)
		if target == nil {
			return nil, err
		}
		return target.fields(seen)
	}
	return StructFields(structure, t.File), nil
}

// StructFields returns the fields of a struct type in a file.
func StructFields(structure *ast.StructType, file *File) []*Field {
	var fields []*Field
	for _, f := range structure.Fields.List {
		tag := ""
		if f.Tag != nil {
			tag, _ = strconv.Unquote(f.Tag.Value)
		}
		if len(f.Names) == 0 {
			fields = append(fields, &Field{Name: baseName(f.Type), Embedded: true, Tag: tag, Type: f.Type, File: file, Syntax: f, at: f.Type.Pos()})
		}
		for _, name := range f.Names {
			fields = append(fields, &Field{Name: name.Name, Tag: tag, Type: f.Type, File: file, Syntax: f, at: name.Pos()})
		}
	}
	return fields
}

// baseName returns the field name of an embedded type.
func baseName(expr ast.Expr) string {
	switch e := namedExpr(expr).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// namedExpr strips parentheses, stars and type arguments.
func namedExpr(expr ast.Expr) ast.Expr {
	for {
		switch e := expr.(type) {
		case *ast.ParenExpr:
			expr = e.X
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		default:
			return expr
		}
	}
}

// Resolve returns the declaration of the type that an expression in the file refers to, or
// nil for predeclared and unnamed types. It ignores pointers and type arguments. It returns
// an error if it cannot read the package that declares the type.
func (f *File) Resolve(expr ast.Expr) (*Type, error) {
	switch e := namedExpr(expr).(type) {
	case *ast.Ident:
		if t := f.Package.Lookup(e.Name); t != nil {
			return t, nil
		}
		for _, path := range f.DotImports() {
			p, err := f.Package.Import(path)
			if err != nil {
				return nil, err
			}
			if t := p.Lookup(e.Name); t != nil {
				return t, nil
			}
		}
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return f.resolveImported(x.Name, e.Sel.Name)
		}
	}
	return nil, nil
}

// resolveImported returns the declaration of the type pkg.name.
func (f *File) resolveImported(pkg, name string) (*Type, error) {
	for _, path := range f.ImportPaths(pkg) {
		p, err := f.Package.Import(path)
		if err != nil {
			return nil, err // the next path is no likelier, and each costs a go list
		}
		if t := p.Lookup(name); t != nil {
			return t, nil
		}
	}
	return nil, fmt.Errorf("%s.%s: %w", pkg, name, ErrNotFound)
}
