package emit

import (
	"fmt"
	"go/ast"
)

// names are what packages declare: the path of the file by package and name. The
// zero value is ready for use.
type names map[name]string

// name is a name at the top level of a package.
type name struct{ pkg, name string }

// add takes in what a file declares. It is an error if another file of the package
// declares the same: emitted names are made of those in the input, and a few pairs of
// these lead to one.
func (n *names) add(f File, syntax *ast.File) error {
	if *n == nil {
		*n = names{}
	}
	for _, decl := range syntax.Decls {
		for _, ident := range declared(decl) {
			at := name{f.PackagePath, ident}
			if other, taken := (*n)[at]; taken {
				return fmt.Errorf("%s and %s would both declare %s; rename one of the kinds, or give the group another name with +groupGoName", other, f.Path, ident)
			}
			(*n)[at] = f.Path
		}
	}
	return nil
}

// declared returns the names that a declaration adds to its package.
func declared(decl ast.Decl) []string {
	var idents []string
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil && decl.Name.Name != "init" {
			idents = append(idents, decl.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				idents = append(idents, spec.Name.Name)
			case *ast.ValueSpec:
				for _, ident := range spec.Names {
					if ident.Name != "_" {
						idents = append(idents, ident.Name)
					}
				}
			}
		}
	}
	return idents
}
