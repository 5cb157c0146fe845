package load

import (
	"bytes"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// DeclaredAt returns the position at which the package declares a function, variable, constant or
// type of this name, and the zero position if it does not. Like [Package.Declares], it also looks
// in files that build constraints exclude, but not in those with the base name except.
func (p *Package) DeclaredAt(name, except string) token.Position {
	for _, f := range slices.Concat(p.files, p.excluded) {
		if filepath.Base(f.name) == except || !f.mayDeclare(name, "func", "var", "const", "type", ",") {
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

// Broken reports whether a file of the package cannot be read or parsed, which is an error already.
func (p *Package) Broken() bool {
	return slices.ContainsFunc(p.files, func(f *file) bool { return f.parse() == nil })
}

// LeftOut returns the base name of a file in the directory of the package that contains a word and is not part of the
// package: because of a build constraint, except in files of generators, or as a test. It is empty if there is none.
func (p *Package) LeftOut(word string) string {
	for _, f := range p.excluded {
		if base := filepath.Base(f.name); !strings.HasPrefix(base, "zz_generated") && bytes.Contains(f.source(), []byte(word)) {
			return base
		}
	}
	tests, _ := filepath.Glob(filepath.Join(p.Dir, "*_test.go")) // of a pattern that is valid, unless the directory's name is odd
	for _, name := range tests {
		if text, err := p.loader.cfg.ReadFile(name); err == nil && bytes.Contains(text, []byte(word)) {
			return filepath.Base(name)
		}
	}
	return ""
}
