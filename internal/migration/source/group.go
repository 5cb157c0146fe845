package source

import (
	"go/ast"
	"go/parser"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
)

// group returns packages of files by directory and name, with those of their homes, and the imports that are in no
// package yet.
func (p *Program) group(names []string, homes map[string]*Package) (groups []*Package, missing []string) {
	byKey := map[string]*Package{}
	wanted := map[string]bool{}
	files, _ := p.parse(names, parser.SkipObjectResolution|parser.ParseComments) // the caller has parsed them before
	for _, file := range files {
		dir := filepath.Dir(p.Fset.File(file.FileStart).Name())
		key := dir + " " + file.Name.Name
		g := byKey[key]
		if g == nil {
			g = newGroup(dir, file.Name.Name, homes[key])
			byKey[key] = g
		}
		g.Syntax = append(g.Syntax, file)
		for _, spec := range file.Imports {
			path := pathOf(spec)
			if g.Imports[path] == nil && p.Packages[path] == nil && path != "C" && path != "unsafe" && path != "" {
				wanted[path] = true
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		groups = append(groups, byKey[key])
	}
	return groups, slices.Sorted(maps.Keys(wanted))
}

func newGroup(dir, name string, home *Package) *Package {
	g := &Package{
		Package: &packages.Package{ID: dir + " " + name, PkgPath: dir, Name: name, Dir: dir},
		Initial: true, Info: newInfo(),
	}
	if home != nil {
		g.PkgPath, g.Imports, g.Module = home.PkgPath, home.Imports, home.Module
		g.Syntax = slices.Clone(home.Syntax)
	}
	return g
}

func pathOf(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return "" // the parser has rejected it
	}
	return path
}
