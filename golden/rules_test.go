package golden_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestRules checks the rules that keep the compile time of generated code low; the comment of
// package templates gives the reasons.
func TestRules(t *testing.T) {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports,
	}, "./one-group/...", "./apply/...", "./kubebuilder/...")
	if err != nil {
		t.Fatal(err)
	}
	instances := 0
	for _, pkg := range loaded {
		for _, err := range pkg.Errors {
			t.Fatal(err)
		}
		for ident, instance := range pkg.TypesInfo.Instances {
			instances++
			at := pkg.Fset.Position(ident.Pos())
			checkInstance(t, at, pkg.TypesInfo.Uses[ident], instance)
		}
		for ident, obj := range pkg.TypesInfo.Defs {
			if name, ok := obj.(*types.TypeName); ok && name.IsAlias() {
				named, ok := types.Unalias(name.Type()).(*types.Named)
				if ok && named.TypeArgs().Len() > 0 && types.IsInterface(named) {
					t.Errorf("%s: %s is an alias of an instantiated interface; define a type", pkg.Fset.Position(ident.Pos()), ident.Name)
				}
			}
		}
	}
	if instances < 100 {
		t.Errorf("found %d instances of generic functions and types, want those of a dozen kinds", instances)
	}
}

// checkInstance checks a use of a generic function or type.
func checkInstance(t *testing.T, at token.Position, obj types.Object, instance types.Instance) {
	t.Helper()
	for arg := range instance.TypeArgs.Types() {
		if _, ok := arg.Underlying().(*types.Struct); ok {
			t.Errorf("%s: %s has the struct %s as type argument; pass a pointer type", at, obj.Name(), arg)
		}
	}
	for param := range typeParams(obj).TypeParams() {
		if slices.Contains(rare, obj.Name()) {
			continue
		}
		if constraint := param.Constraint().Underlying().(*types.Interface); !constraint.IsMethodSet() {
			t.Errorf("%s: the constraint of %s of %s is not a plain method set", at, param, obj.Name())
		}
	}
	if named, ok := obj.Type().(*types.Named); ok && obj.Pkg().Name() != "cache" {
		if i, ok := named.Underlying().(*types.Interface); ok && i.NumEmbeddeds() > 0 {
			t.Errorf("%s: the interface %s embeds others; write their methods out", at, obj.Name())
		}
	}
}

func typeParams(obj types.Object) *types.TypeParamList {
	switch typ := obj.Type().(type) {
	case *types.Signature:
		return typ.TypeParams()
	case *types.Named:
		return typ.TypeParams()
	}
	return nil
}

// rare are the generic types and functions that generated code uses for few kinds or none: those
// for kinds without lists, and those with client-go's names and shapes.
var rare = []string{
	"ForObjectApply",
	"ClientWithApply", "ClientWithList", "ClientWithListAndApply",
	"FakeClient", "FakeClientWithApply", "FakeClientWithList", "FakeClientWithListAndApply",
}

// TestGenericTypesEmbedNothing checks the generic types of the runtime that generated code
// instantiates for every kind, exported or not.
func TestGenericTypesEmbedNothing(t *testing.T) {
	checked := 0
	for _, dir := range []string{"cache", "gentype", "gentype/fake", "informers", "listers"} {
		files, err := filepath.Glob("../runtime/" + dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(syntax, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok || spec.TypeParams == nil || slices.Contains(rare, spec.Name.Name) {
					return true
				}
				if s, ok := spec.Type.(*ast.StructType); ok {
					checked++
					for _, field := range s.Fields.List {
						if len(field.Names) == 0 {
							t.Errorf("%s: the generic type %s embeds %s; write its methods out", file, spec.Name, types.ExprString(field.Type))
						}
					}
				}
				return true
			})
		}
	}
	if checked < 10 {
		t.Errorf("checked %d types, want those of the runtime", checked)
	}
}

// TestLines checks the length of the files of plain kinds. A third of that of an informer are the
// constructors of informers that belong to no factory.
func TestLines(t *testing.T) {
	for _, tree := range []struct {
		dir   string
		lines int
	}{
		{"informers/externalversions/library/v1", 94},
		{"listers/library/v1", 34},
		{"clientset/versioned/typed/library/v1", 40},
	} {
		for _, kind := range []string{"book.go", "shelf.go"} {
			content, err := os.ReadFile(filepath.Join("one-group", tree.dir, kind))
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(content, []byte("\n")); n > tree.lines {
				t.Errorf("%s/%s has %d lines, want at most %d", tree.dir, kind, n, tree.lines)
			}
		}
	}
	err := fs.WalkDir(os.DirFS("one-group"), ".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, "fake_book.go") {
			t.Errorf("%s: a plain kind needs no file for its fake", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
