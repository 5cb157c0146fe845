package load

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
)

// DeclaredAt returns the position at which the package declares a function, variable, constant or
// type of this name, and the zero position if it does not. Like [Package.Declares], it also looks
// in files that build constraints exclude, but not in those with the base name except.
func (p *Package) DeclaredAt(name, except string) token.Position {
	for _, f := range slices.Concat(p.files, p.excluded) {
		if filepath.Base(f.name) == except || !declares(f.source(), name, "func", "var", "const", "type", ",") {
			continue
		}
		if parsed := f.parse(); parsed != nil {
			if ident := parsed.declaration(name); ident != nil {
				return p.Position(ident.Pos())
			}
		}
	}
	return token.Position{}
}

// declaration returns the identifier that declares a name at the top level of the file, or nil.
func (f *File) declaration(name string) *ast.Ident {
	if t := f.types[name]; t != nil {
		return t.Spec.Name
	}
	if !f.values[name] {
		return nil
	}
	for _, decl := range f.Syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil && decl.Name.Name == name {
				return decl.Name
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				values, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				if i := slices.IndexFunc(values.Names, func(n *ast.Ident) bool { return n.Name == name }); i >= 0 {
					return values.Names[i]
				}
			}
		}
	}
	return nil
}

// Has reports whether the package has a file with this base name, which build constraints may
// exclude.
func (p *Package) Has(base string) bool {
	return slices.ContainsFunc(slices.Concat(p.files, p.excluded), func(f *file) bool { return filepath.Base(f.name) == base })
}
