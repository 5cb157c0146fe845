package compatibility_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/listwatch/listwatch/internal/migration"
)

// users are packages of client-go that are written for those which the runtime
// stands for: hand-written ones, and the typed clients of everything built in, which
// are emitted.
var users = []string{
	"k8s.io/client-go/dynamic",
	"k8s.io/client-go/kubernetes",
	"k8s.io/client-go/kubernetes/typed/...",
	"k8s.io/client-go/metadata",
	"k8s.io/client-go/restmapper",
	"k8s.io/client-go/scale",
}

// Code that is written for client-go compiles once it is migrated.
func TestUsersCompile(t *testing.T) {
	c := rewrite(t)
	for _, path := range slices.Sorted(maps.Keys(c.files)) {
		if _, err := c.Import(path); err != nil {
			t.Error(err)
		}
	}
	for _, err := range c.errs[:min(len(c.errs), 20)] {
		t.Error(err)
	}
	t.Logf("%d packages checked", len(c.checked))
}

// checker type-checks the users, whose files are migrated, against
// packages that are compiled.
type checker struct {
	fset     *token.FileSet
	files    map[string][]*ast.File
	compiled map[string]*types.Package
	checked  map[string]*types.Package
	errs     []error
}

// Import implements types.Importer.
func (c *checker) Import(path string) (*types.Package, error) {
	if pkg := c.checked[path]; pkg != nil {
		return pkg, nil
	}
	if pkg := c.compiled[path]; pkg != nil {
		return pkg, nil
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	files := c.files[path]
	if files == nil {
		return nil, fmt.Errorf("package %s is not loaded", path)
	}
	conf := types.Config{Importer: c, Error: func(err error) { c.errs = append(c.errs, err) }}
	pkg, _ := conf.Check(path, c.fset, files, nil)
	c.checked[path] = pkg
	return pkg, nil
}

// rewrite parses the users, migrates them, and loads what they then need.
func rewrite(t *testing.T) *checker {
	t.Helper()
	c := &checker{
		fset: token.NewFileSet(), files: map[string][]*ast.File{},
		compiled: map[string]*types.Package{}, checked: map[string]*types.Package{},
	}
	for _, pkg := range load(t, packages.NeedName|packages.NeedFiles|packages.NeedCompiledGoFiles, users...) {
		for _, name := range pkg.CompiledGoFiles {
			file := c.migrate(t, name)
			c.files[pkg.PkgPath] = append(c.files[pkg.PkgPath], file)
		}
	}
	needed := map[string]bool{}
	for _, files := range c.files {
		for _, file := range files {
			for _, spec := range file.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				needed[path] = c.files[path] == nil
			}
		}
	}
	maps.DeleteFunc(needed, func(_ string, outside bool) bool { return !outside })
	mode := packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedExportFile
	for _, pkg := range load(t, mode, slices.Sorted(maps.Keys(needed))...) {
		c.compiled[pkg.PkgPath] = pkg.Types
	}
	return c
}

// migrate parses a file as listwatch-migrate rewrites it.
func (c *checker) migrate(t *testing.T, name string) *ast.File {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	// Generated files are not rewritten.
	text = bytes.ReplaceAll(text, []byte("DO NOT EDIT."), []byte("Edit."))
	result, err := migration.Rewrite(name, text)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(c.fset, name, result.Text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func load(t *testing.T, mode packages.LoadMode, paths ...string) []*packages.Package {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Mode: mode}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}
