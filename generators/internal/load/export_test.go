package load

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

// Import returns the package with an import path, resolved in the configured directory.
func (l *Loader) Import(path string) (*Package, error) { return l.Package(path) }

// FromSource returns a loader for the packages with the given files, by import path followed by the
// file's name. It finds no others, and never runs the go command.
func FromSource(files map[string]string, diags *diag.List) *Loader {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return New(ctx, Config{
		Dir:   string(filepath.Separator),
		Diags: diags,
		ReadFile: func(name string) ([]byte, error) {
			text, ok := files[name]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return []byte(text), nil
		},
		Find: func(pkg string) (*Source, error) {
			src := &Source{Path: pkg, Name: path.Base(pkg)}
			for _, name := range slices.Sorted(maps.Keys(files)) {
				if path.Dir(name) == pkg {
					src.Files = append(src.Files, name)
				}
			}
			if len(src.Files) == 0 {
				return nil, nil
			}
			return src, nil
		},
	})
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
