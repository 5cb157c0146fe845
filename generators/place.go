package generators

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// DefaultDir is the default output directory in its module.
const DefaultDir = "pkg/generated"

// Place is an output directory.
type Place struct {
	// Dir is the directory's absolute path, and Pkg its import path.
	Dir, Pkg string
}

// Below returns a directory below p. The elements are joined with slashes.
func (p Place) Below(elem ...string) Place {
	sub := path.Join(elem...)
	return Place{filepath.Join(p.Dir, filepath.FromSlash(sub)), path.Join(p.Pkg, sub)}
}

// beside returns an import path in the parent directory of p.
func (p Place) beside(elem ...string) string {
	return path.Join(path.Dir(p.Pkg), path.Join(elem...))
}

// place returns the output directory for the packages.
func (r *run) place(packages []*load.Package) (Place, error) {
	dir, pkg := r.opts.OutputDir, r.opts.OutputPkg
	if dir != "" && !filepath.IsAbs(dir) {
		dir = filepath.Join(r.opts.Dir, dir)
	}
	switch {
	case dir != "" && pkg != "":
		return Place{dir, pkg}, nil
	case dir != "":
		m, err := moduleAbove(dir)
		if err != nil {
			return Place{}, fmt.Errorf("%w: cannot determine the import path of %s: %w; set --output-pkg", ErrUsage, r.opts.OutputDir, err)
		}
		return m.at(dir)
	}
	m, err := r.module(packages)
	if err != nil {
		return Place{}, fmt.Errorf("%w: cannot determine the output directory: %w; set --output-dir and --output-pkg", ErrUsage, err)
	}
	if pkg == "" {
		return m.Below(cmp.Or(r.opts.DefaultDir, DefaultDir)), nil
	}
	rest, ok := strings.CutPrefix(pkg+"/", m.Pkg+"/")
	if !ok {
		return Place{}, fmt.Errorf("%w: %s is not in module %s; set --output-dir as well", ErrUsage, pkg, m.Pkg)
	}
	return m.Below(rest), nil
}

// at returns the place of dir in the module with the root p.
func (p Place) at(dir string) (Place, error) {
	rel, err := filepath.Rel(p.Dir, dir)
	if err != nil {
		return Place{}, err
	}
	return p.Below(filepath.ToSlash(rel)), nil
}

// module returns the root of the module for the output: the module of the API packages if
// it is a main module, and otherwise the module of the directory of the run.
func (r *run) module(packages []*load.Package) (Place, error) {
	m := packages[0].Module
	for _, p := range packages {
		if p.Module != m {
			m = load.Module{}
		}
	}
	if m.Main && m.Dir != "" {
		return Place{m.Dir, m.Path}, nil
	}
	return moduleAbove(r.opts.Dir)
}

// moduleAbove returns the root of the module that contains dir, which need not exist.
func moduleAbove(dir string) (Place, error) {
	root, found := load.ModuleRoot(dir)
	if !found {
		return Place{}, errors.New("no go.mod in the directory or its parents")
	}
	file := filepath.Join(root, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return Place{}, err
	}
	if name := modfile.ModulePath(text); name != "" {
		return Place{root, name}, nil
	}
	return Place{}, fmt.Errorf("%s has no module directive", file)
}
