package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// CheckPackage is [Check] for a package that is type-checked, and calls Keep. It returns its reads of fields that are not kept. What
// other packages read is not known, so there are no other findings.
func CheckPackage(fset *token.FileSet, pkg *types.Package, files []*ast.File, info *types.Info) []Finding {
	keeps := false
	for _, used := range info.Uses {
		fn, ok := used.(*types.Func)
		keeps = keeps || ok && isKeep(fn)
	}
	if !keeps {
		return nil
	}
	p := &program{
		fset: fset, ssa: ssa.NewProgram(fset, ssa.InstantiateGenerics), syntax: map[*types.Package][]*ast.File{pkg: files},
		bodies: map[*types.Package]bool{pkg: true}, command: pkg.Name() == "main",
	}
	declared := map[*types.Package]bool{}
	var declare func(imports []*types.Package)
	declare = func(imports []*types.Package) {
		for _, i := range imports {
			if !declared[i] {
				declared[i] = true
				declare(i.Imports())
				p.ssa.CreatePackage(i, nil, nil, true)
				p.all = append(p.all, i)
			}
		}
	}
	declare(pkg.Imports())
	p.given, p.all = []*ssa.Package{p.ssa.CreatePackage(pkg, files, info, false)}, append(p.all, pkg)
	p.ssa.Build()
	return slices.DeleteFunc(check(p), func(f Finding) bool { return f.Severity != Lacking })
}
