package load

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

// Import returns the package with an import path, resolved in the configured directory.
func (l *Loader) Import(path string) (*Package, error) { return l.find(l.cfg.Dir, path) }

// FromSource returns a loader for the packages with the given files, by import path followed by the
// file's name. It finds no others, and never runs the go command.
func FromSource(files map[string]string, diags *diag.List) *Loader {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l := New(ctx, Config{Dir: string(filepath.Separator), Diags: diags})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		pkgPath, base := path.Dir(name), path.Base(name)
		p := l.pkgs[pkgPath]
		if p == nil {
			p = &Package{Path: pkgPath, Name: path.Base(pkgPath), Dir: pkgPath, loader: l}
			l.pkgs[pkgPath] = p
		}
		f := &file{pkg: p, name: path.Join(pkgPath, base)}
		f.reading.Do(func() { f.src = []byte(files[name]) })
		p.files = append(p.files, f)
	}
	return l
}

// FileNames returns the names of a package's files, and of those that build constraints exclude.
func FileNames(p *Package) (files, excluded []string) {
	for _, f := range p.files {
		files = append(files, f.name)
	}
	for _, f := range p.excluded {
		excluded = append(excluded, f.name)
	}
	slices.Sort(files) // the go command lists those with cgo last
	slices.Sort(excluded)
	return files, excluded
}
