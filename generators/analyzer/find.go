package analyzer

import (
	"fmt"
	"go/build"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/versions"
)

// finder finds the packages that the analyzed package refers to.
type finder struct {
	pass *analysis.Pass
	own  *load.Source
	// beside contains the directories of the packages that versions has returned.
	beside map[string]bool
}

// find returns the package with an import path: the analyzed one, one that it depends on, or one of
// its module.
func (f finder) find(path string) (*load.Source, error) {
	if path == f.own.Path {
		return f.own, nil
	}
	dir, ok := f.imported(path)
	if !ok {
		dir, ok = f.below(path)
	}
	if first, _, _ := strings.Cut(path, "/"); !ok && !strings.Contains(first, ".") && build.Default.GOROOT != "" {
		dir, ok = filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(path)), true
	}
	if !ok {
		return nil, fmt.Errorf("%s: %w", path, load.ErrNotFound)
	}
	p, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, load.ErrNotFound)
	}
	src := &load.Source{Path: path, Name: p.Name}
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		src.Files = append(src.Files, filepath.Join(dir, name))
	}
	for _, name := range p.IgnoredGoFiles {
		src.Excluded = append(src.Excluded, filepath.Join(dir, name))
	}
	return src, nil
}

// imported returns the directory of a package that the analyzed one depends on, by the position of
// an object that it declares.
func (f finder) imported(path string) (dir string, ok bool) {
	seen := map[*types.Package]bool{}
	for level := f.pass.Pkg.Imports(); len(level) > 0; {
		var next []*types.Package
		for _, p := range level {
			if seen[p] {
				continue
			}
			seen[p] = true
			if p.Path() == path || strings.HasSuffix(p.Path(), "/vendor/"+path) {
				return f.dir(p)
			}
			next = append(next, p.Imports()...)
		}
		level = next
	}
	return "", false
}

// dir returns the directory of a package.
func (f finder) dir(p *types.Package) (dir string, ok bool) {
	for _, name := range p.Scope().Names() {
		if pos := p.Scope().Lookup(name).Pos(); pos != token.NoPos {
			file := f.pass.Fset.PositionFor(pos, false).Filename
			return filepath.Dir(file), filepath.IsAbs(file)
		}
	}
	return "", false
}

// versions returns packages beside the analyzed one with more versions of a kind than the known ones.
func (f finder) versions(loader *load.Loader, group, kind string, known []string) []*load.Package {
	var list []*load.Package
	for _, d := range versions.Beside(filepath.Dir(f.own.Files[0]), f.own.Path) {
		if slices.Contains(known, d.Version()) || !d.Declares(group, kind) {
			continue
		}
		if p, err := loader.Package(d.Path); err == nil {
			list = append(list, p)
			f.beside[p.Dir] = true
		}
	}
	return list
}

// below returns the directory of a package of the analyzed package's module.
func (f finder) below(path string) (dir string, ok bool) {
	if f.pass.Module == nil {
		return "", false
	}
	rest, ok := strings.CutPrefix(path, f.pass.Module.Path+"/")
	if !ok {
		return "", false
	}
	root, ok := load.ModuleRoot(filepath.Dir(f.own.Files[0]))
	return filepath.Join(root, filepath.FromSlash(rest)), ok
}
