// Package source type-checks trees of generated files, in memory or on disk, without making them
// part of a module.
//
// # Terms
//
// A [Tree] is a directory of Go files with the import path for which it is generated. Its packages
// import each other by that path, and packages outside of the tree. [Outside] loads the latter once
// for any number of trees, from a module that requires them all; [Tree.Check] then checks the
// tree's own packages completely, function bodies included, against them.
//
// Two trees can have the same import path, even one that exists elsewhere: inside a tree, its own
// packages take precedence.
//
// # Limits
//
// Build constraints in a tree are ignored, and test files are omitted. Of the packages outside,
// only the declarations are checked, and their errors are ignored: a tree that depends on an
// invalid one fails by itself.
package source

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
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Tree is a directory of generated packages, parsed.
type Tree struct {
	fset *token.FileSet
	// files contains the files of each package, by import path.
	files map[string][]*ast.File
}

// Parse reads the tree below dir, which is generated for the import path pkg.
func Parse(dir, pkg string) (*Tree, error) {
	paths, err := Files(dir)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, p := range paths {
		if path.Ext(p) != ".go" {
			continue
		}
		if texts[p], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(p))); err != nil {
			return nil, err
		}
	}
	return ParseTexts(texts, dir, pkg)
}

// ParseTexts reads a tree in memory: the text of each file by its path below dir, which messages
// contain. It is generated for the import path pkg.
func ParseTexts(texts map[string][]byte, dir, pkg string) (*Tree, error) {
	t := &Tree{fset: token.NewFileSet(), files: map[string][]*ast.File{}}
	for _, p := range slices.Sorted(maps.Keys(texts)) {
		if path.Ext(p) != ".go" || strings.HasSuffix(p, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(t.fset, filepath.Join(dir, filepath.FromSlash(p)), texts[p], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		at := path.Join(pkg, path.Dir(p))
		t.files[at] = append(t.files[at], f)
	}
	return t, nil
}

// Files returns the paths of all files below dir, relative to it, separated by
// slashes and sorted.
func Files(dir string) ([]string, error) {
	var files []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files = append(files, p)
		}
		return err
	})
	return files, err
}

// Imports returns the import paths outside of the tree that it uses.
func (t *Tree) Imports() []string {
	outside := map[string]bool{}
	for _, files := range t.files {
		for _, f := range files {
			for _, p := range imports(f) {
				if t.files[p] == nil {
					outside[p] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(outside))
}

func imports(f *ast.File) []string {
	var paths []string
	for _, spec := range f.Imports {
		// The parser accepts only quoted strings.
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// Packages are type-checked packages by import path.
type Packages map[string]*types.Package

// Outside loads the declarations of the packages with the given import paths, from the module
// around dir.
func Outside(dir string, paths []string) (Packages, error) {
	if len(paths) == 0 {
		return Packages{}, nil
	}
	loaded, err := packages.Load(&packages.Config{
		Dir: dir,
		// With cgo, files would have to be generated.
		Env: append(os.Environ(), "CGO_ENABLED=0"),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes,
		ParseFile: parseDeclarations,
	}, slices.Sorted(slices.Values(paths))...)
	if err != nil {
		return nil, err
	}
	found := Packages{}
	for _, pkg := range loaded {
		for _, e := range pkg.Errors {
			if e.Kind == packages.ListError {
				err = errors.Join(err, fmt.Errorf("load %s: %w", pkg.PkgPath, e))
			}
		}
		found[pkg.PkgPath] = pkg.Types
	}
	return found, err
}

// parseDeclarations parses a file and removes the bodies of its functions.
func parseDeclarations(fset *token.FileSet, filename string, src []byte) (*ast.File, error) {
	f, err := parser.ParseFile(fset, filename, src, parser.SkipObjectResolution)
	if f == nil {
		return nil, err
	}
	for _, decl := range f.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
	return f, err
}

// Check type-checks the tree's packages. It returns them all, and their first errors.
func (t *Tree) Check(outside Packages) (Packages, error) {
	all, errs := t.Errors(outside)
	if more := len(errs) - maxErrors; more > 0 {
		errs = append(errs[:maxErrors], fmt.Errorf("and %d more", more))
	}
	return all, errors.Join(errs...)
}

// Errors type-checks the tree's packages. It returns them all, and all errors.
func (t *Tree) Errors(outside Packages) (Packages, []error) {
	c := checker{tree: t, outside: outside, done: Packages{}}
	for _, p := range slices.Sorted(maps.Keys(t.files)) {
		if _, err := c.Import(p); err != nil {
			c.errs = append(c.errs, err)
		}
	}
	return c.done, c.errs
}

// maxErrors is the maximum number of errors that Check returns.
const maxErrors = 20

// checker is the importer of a tree's packages: it checks each when it is first imported.
type checker struct {
	tree    *Tree
	outside Packages
	done    Packages
	errs    []error
}

// Import implements types.Importer.
func (c *checker) Import(p string) (*types.Package, error) {
	if p == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg, ok := c.done[p]; ok {
		if pkg == nil {
			return nil, fmt.Errorf("package %s imports itself through others", p)
		}
		return pkg, nil
	}
	files := c.tree.files[p]
	if files == nil {
		if pkg := c.outside[p]; pkg != nil {
			return pkg, nil
		}
		return nil, fmt.Errorf("package %s is neither in the tree nor loaded", p)
	}
	c.done[p] = nil
	conf := types.Config{
		Importer: c,
		Error:    func(err error) { c.errs = append(c.errs, err) },
	}
	// All errors are passed to conf.Error.
	pkg, _ := conf.Check(p, c.tree.fset, files, nil)
	c.done[p] = pkg
	return pkg, nil
}
