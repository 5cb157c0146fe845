package aliases

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/listwatch/listwatch/internal/migration"
	"github.com/listwatch/listwatch/internal/source"
)

// Package is a package of client-go.
type Package struct {
	// Path is below k8s.io/client-go.
	Path string
	// Ours are the import paths of the packages whose symbols it has: of several that have a symbol, the first
	// counts. It is empty if all symbols are own.
	Ours []string
	// Own are the exported symbols that other files than the aliases declare.
	Own map[string]bool
	// Documented is set if such a file has the comment of the package.
	Documented bool

	theirs *types.Package
}

// Name returns the name of the package.
func (p *Package) Name() string { return p.theirs.Name() }

// Variables returns the exported variables of client-go's package.
func (p *Package) Variables() []string {
	var all []string
	for _, name := range p.theirs.Scope().Names() {
		if v, ok := p.theirs.Scope().Lookup(name).(*types.Var); ok && v.Exported() {
			all = append(all, name)
		}
	}
	return all
}

// Set is all packages of client-go.
type Set struct {
	Packages []*Package
	ours     source.Packages
	docs     map[string]docs // by import path of ours
}

// own reports whether nothing of a package is an alias. The clientset and what is made for it have the discovery
// client of the module, which also returns the models of OpenAPI.
func own(path string) bool {
	return path == "kubernetes" || path == "kubernetes/fake" || path == "informers" || strings.HasPrefix(path, "informers/")
}

// left reports whether the module has no such package: programs, tests, and what client-go does not export.
func left(path string) bool {
	return path == "" || path == "kubernetes_test" || strings.HasPrefix(path, "examples/") ||
		slices.Contains(strings.Split(path, "/"), "internal") || path == "third_party/forked/httpcache"
}

// wider are packages some of whose symbols are own and in another package of the module, as other packages
// of it need them too.
var wider = map[string]string{
	"discovery": "internal/discovery",
}

// Load reads client-go's packages and ours. The module around dir requires both; the directory module contains the
// module client-go.
func Load(dir, module string) (*Set, error) {
	theirs, err := source.Outside(dir, []string{migration.ClientGo + "..."})
	if err != nil {
		return nil, err
	}
	set := &Set{docs: map[string]docs{}}
	var paths, widened []string
	for _, path := range slices.Sorted(maps.Keys(theirs)) {
		below := strings.TrimPrefix(strings.TrimPrefix(path, strings.TrimSuffix(migration.ClientGo, "/")), "/")
		if left(below) {
			continue
		}
		p := &Package{Path: below, theirs: theirs[path]}
		if p.Own, p.Documented, err = declared(filepath.Join(module, filepath.FromSlash(below))); err != nil {
			return nil, err
		}
		before := len(widened)
		if pair, ok := pairOf(below); ok && !own(below) {
			if at, ok := wider[below]; ok {
				widened = append(widened, migration.ClientGo+at)
			}
			paths = append(paths, pair.OurPaths()...)
			p.Ours = slices.Concat(widened[before:], pair.OurPaths())
		}
		set.Packages = append(set.Packages, p)
	}
	if set.ours, err = source.Outside(dir, paths); err != nil {
		return nil, err
	}
	wide, err := source.Outside(module, widened)
	if err != nil {
		return nil, err
	}
	maps.Copy(set.ours, wide)
	return set, errors.Join(set.readDocs(dir, paths), set.readDocs(module, widened))
}

// pairOf returns the pair of a package of client-go, which may be a version that a newer client-go has dropped.
func pairOf(below string) (migration.Pair, bool) {
	if pair, ok := migration.FindPair(below); ok {
		return pair, true
	}
	for _, tree := range migration.Trees {
		if version, ok := strings.CutPrefix(below, tree.Theirs+"/"); ok {
			return migration.Pair{Theirs: below, Ours: []string{tree.Ours + "/" + version}}, true
		}
	}
	return migration.Pair{}, false
}

// readDocs reads the comments of our packages.
func (s *Set) readDocs(dir string, paths []string) error {
	loaded, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedFiles}, paths...)
	if err != nil {
		return err
	}
	for _, pkg := range loaded {
		for _, e := range pkg.Errors {
			err = errors.Join(err, fmt.Errorf("load %s: %w", pkg.PkgPath, e))
		}
		s.docs[pkg.PkgPath], err = parseDocs(pkg.GoFiles, err)
	}
	return err
}

// aliasesFile is the name of the generated file of each package.
const aliasesFile = "aliases.go"

// declared returns the exported symbols that the files of a directory declare, without the aliases and tests, and
// whether one of them documents the package. A directory that does not exist has none.
func declared(dir string) (names map[string]bool, documented bool, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	names = map[string]bool{}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" || e.Name() == aliasesFile || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, false, err
		}
		documented = documented || f.Doc != nil
		for _, decl := range f.Decls {
			for _, name := range declares(decl) {
				if name.IsExported() {
					names[name.Name] = true
				}
			}
		}
	}
	return names, documented, nil
}

// declares returns the names that a declaration adds to its package.
func declares(decl ast.Decl) []*ast.Ident {
	var names []*ast.Ident
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			names = append(names, decl.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name)
			case *ast.ValueSpec:
				names = append(names, spec.Names...)
			}
		}
	}
	return names
}
