package generators

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// defaultDir is the default output directory in its module.
const defaultDir = "pkg/generated"

// place is an output directory, as an absolute path, with its import path.
type place struct{ Dir, Pkg string }

// below returns a directory below p.
func (p place) below(elem ...string) place {
	sub := path.Join(elem...)
	return place{filepath.Join(p.Dir, filepath.FromSlash(sub)), path.Join(p.Pkg, sub)}
}

// beside returns an import path in the parent directory of p.
func (p place) beside(elem ...string) string {
	return path.Join(path.Dir(p.Pkg), path.Join(elem...))
}

// place returns the output directory: from the options or, if they do not set it, sub in
// [defaultDir].
func (r *run) place(in *input, opts Options, sub string) (place, error) {
	dir, pkg := opts.OutputDir, opts.OutputPkg
	if dir != "" && !filepath.IsAbs(dir) {
		dir = filepath.Join(r.opts.Dir, dir)
	}
	switch {
	case dir != "" && pkg != "":
		return place{dir, pkg}, nil
	case dir != "":
		m, err := moduleAbove(dir)
		if err != nil {
			return place{}, fmt.Errorf("%w: cannot determine the import path of %s: %w; set --output-pkg", ErrUsage, opts.OutputDir, err)
		}
		return m.at(dir)
	}
	m, err := r.module(in.packages)
	if err != nil {
		return place{}, fmt.Errorf("%w: cannot determine the output directory: %w; set --output-dir and --output-pkg", ErrUsage, err)
	}
	if pkg == "" {
		return m.below(defaultDir, sub), nil
	}
	rest, ok := strings.CutPrefix(pkg+"/", m.Pkg+"/")
	if !ok {
		return place{}, fmt.Errorf("%w: %s is not in module %s; set --output-dir as well", ErrUsage, pkg, m.Pkg)
	}
	return m.below(rest), nil
}

// at returns the place of dir in the module with the root p.
func (p place) at(dir string) (place, error) {
	rel, err := filepath.Rel(p.Dir, dir)
	if err != nil {
		return place{}, err
	}
	return p.below(filepath.ToSlash(rel)), nil
}

// module returns the root of the module for the output: the module of the API packages if
// it is a main module, and otherwise the module of the directory of the run.
func (r *run) module(packages []*load.Package) (place, error) {
	m := packages[0].Module
	for _, p := range packages {
		if p.Module != m {
			m = load.Module{}
		}
	}
	if m.Main && m.Dir != "" {
		return place{m.Dir, m.Path}, nil
	}
	return moduleAbove(r.opts.Dir)
}

// moduleAbove returns the root of the module that contains dir, which need not exist.
func moduleAbove(dir string) (place, error) {
	root, found := load.ModuleRoot(dir)
	if !found {
		return place{}, errors.New("no go.mod in the directory or its parents")
	}
	file := filepath.Join(root, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return place{}, err
	}
	if name := modfile.ModulePath(text); name != "" {
		return place{root, name}, nil
	}
	return place{}, fmt.Errorf("%s has no module directive", file)
}
