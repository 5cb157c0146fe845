package generators

import (
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// warnPredecessor warns if client-gen generated clients of the packages in another directory of the module, as a first run
// of [All] without an output directory does not replace them.
func (r *run) warnPredecessor(place Place, packages []*load.Package) {
	root, found := load.ModuleRoot(place.Dir)
	if r.opts.OutputDir != "" || r.opts.OutputPkg != "" || r.opts.all.isClientset(place) || !found {
		return
	}
	set := predecessor(root, packages)
	if set == "" {
		return
	}
	flags := "--output-dir=" + r.relative(filepath.Dir(filepath.Dir(set)))
	if name := filepath.Base(set); name != r.opts.all.name() {
		flags += " --clientset-name=" + name
	}
	at := token.Position{Filename: filepath.Join(set, "clientset.go"), Line: 1, Column: 1}
	r.diags.Warnf(at, "client-gen generated these clients, and there will be others in %s; to replace them, add %s", r.relative(place.Dir), flags)
}

// predecessor returns the first directory clientset/NAME below root with clients of one of the packages that client-gen
// generated; empty if there is none.
func predecessor(root string, packages []*load.Package) string {
	set := ""
	_ = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		dir := filepath.Dir(name)
		switch {
		case err != nil: // what cannot be read contains nothing to find
			return nil
		case entry.IsDir() && name != root && ignored(name):
			return filepath.SkipDir
		case entry.IsDir(), filepath.Base(name) != "clientset.go", filepath.Base(filepath.Dir(dir)) != "clientset":
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil || !ofClientGen(name, text) {
			return nil
		}
		registered := registeredIn(filepath.Join(dir, "scheme", "register.go"))
		if slices.ContainsFunc(packages, func(p *load.Package) bool { return slices.Contains(registered, p.Path) }) {
			set = dir
			return filepath.SkipAll
		}
		return nil
	})
	return set
}
