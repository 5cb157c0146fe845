package load

import (
	"go/build"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// place is where the packages below an import path are on disk, as seen from a directory.
type place struct {
	from string // the directory in which import paths are resolved
	path string // of the module; empty for the standard library
	dir  string
}

// learn notes the module of a package that the go command found, so that others of the module
// are found without it. The caller holds l.mu.
func (l *Loader) learn(p *packages.Package, from string) {
	switch {
	case p.Module != nil && p.Module.Dir != "" && p.Module.Error == nil:
		l.places[place{from: from, path: p.Module.Path, dir: p.Module.Dir}] = true
		l.modules[p.Module.Dir] = p.Module
	case p.PkgPath == "time" && p.Module == nil && len(p.GoFiles) > 0:
		l.places[place{from: from, dir: filepath.Dir(filepath.Dir(p.GoFiles[0]))}] = true
	}
}

// nearby returns the package with an import path if it is in a module that is known, without a
// run of the go command; otherwise nil. The caller holds l.mu.
func (l *Loader) nearby(from, path string) *packages.Package {
	var best place
	found := false
	for p := range l.places {
		if p.from == from && (!found || len(p.path) > len(best.path)) && p.contains(path) {
			best, found = p, true
		}
	}
	if !found {
		return nil
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(path, best.path), "/")
	dir := filepath.Join(best.dir, filepath.FromSlash(rest))
	if root, ok := ModuleRoot(dir); ok && root != best.dir && best.path != "" {
		return nil // a module of its own
	}
	p := l.readDir(dir)
	if p == nil {
		return nil
	}
	p.PkgPath = path
	if best.path != "" {
		p.Module = l.modules[best.dir]
	}
	return p
}

// contains reports whether a package with the import path can be in the place.
func (p place) contains(path string) bool {
	if p.path == "" {
		first, _, _ := strings.Cut(path, "/")
		return !strings.Contains(first, ".")
	}
	return path == p.path || strings.HasPrefix(path, p.path+"/")
}

// readDir returns the files and the name of the package in a directory, or nil if that takes the
// go command to find out.
func (l *Loader) readDir(dir string) *packages.Package {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	ctx := build.Default
	ctx.BuildTags = l.cfg.BuildTags
	p := &packages.Package{}
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		switch match, fault := ctx.MatchFile(dir, name); {
		case fault != nil:
			return nil
		case !match:
			p.IgnoredFiles = append(p.IgnoredFiles, filepath.Join(dir, name))
			continue
		}
		p.GoFiles = append(p.GoFiles, filepath.Join(dir, name))
	}
	if len(p.GoFiles) == 0 {
		return nil
	}
	// All files are in one package: the module compiles, or the go command says why not.
	syntax, err := parser.ParseFile(token.NewFileSet(), p.GoFiles[0], nil, parser.PackageClauseOnly)
	if err != nil || syntax.Name.Name == "documentation" {
		return nil
	}
	p.Name = syntax.Name.Name
	return p
}

// Prefetch finds the packages that the files of packages need, so that imports of them take no run of
// the go command: it takes at most one for each directory from which the packages were found. Needs
// yields import paths. What is not found is an error only where it is imported.
func Prefetch(list []*Package, needs func(f *File, yield func(path string))) {
	paths := map[string]map[string]bool{} // by directory
	for _, p := range list {
		if paths[p.from] == nil {
			paths[p.from] = map[string]bool{}
		}
		p.Files(func(f *File) bool {
			needs(f, func(path string) { paths[p.from][path] = true })
			return true
		}, "type ")
	}
	for _, p := range list {
		p.loader.prefetch(p.from, slices.Sorted(maps.Keys(paths[p.from])))
		delete(paths, p.from)
	}
}

// prefetch finds packages by import path, resolved in dir.
func (l *Loader) prefetch(dir string, paths []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var missing []string
	for _, path := range paths {
		if path == "C" || path == "unsafe" || l.pkgs[path] != nil || l.failed[path] != nil {
			continue
		}
		if p, err := l.known(path); p != nil || err != nil {
			continue
		}
		if p := l.nearby(dir, path); p != nil {
			l.keep(p, dir)
			continue
		}
		missing = append(missing, path)
	}
	if len(missing) == 0 {
		return
	}
	found, err := l.list(dir, missing)
	if err != nil {
		return // an import of each tells
	}
	for _, p := range found {
		if len(p.GoFiles) > 0 {
			l.learn(p, dir)
			l.keep(p, dir)
		}
	}
	for _, path := range missing {
		if l.pkgs[path] == nil {
			l.failed[path] = notFound(path)
		}
	}
}

// ahead returns the packages of Config.Ahead to find together with the patterns of a query: those
// whose modules are mentioned in its go.mod file, and that the patterns cannot mean.
func (l *Loader) ahead(q query) []string {
	root, ok := ModuleRoot(q.dir)
	if !ok || len(l.cfg.Ahead) == 0 {
		return nil
	}
	for _, pattern := range q.patterns {
		_, _, isFolder := splitDir(pattern)
		if !isFolder && strings.Contains(pattern, "...") || strings.Contains(pattern, "vendor") {
			return nil
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil
	}
	paths := []string{"time"}
	for _, module := range slices.Sorted(maps.Keys(l.cfg.Ahead)) {
		if path := l.cfg.Ahead[module]; strings.Contains(string(text), module+" ") && !slices.Contains(q.patterns, path) {
			paths = append(paths, path)
		}
	}
	return paths
}
