package apitest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inTest are the options that take Go values of the test, or an environment that only its process has.
var inTest = []string{"WithAuthorizer", "WithScheme", "WithWebhookTransport", "WithoutNetwork"}

// TestOptionNames checks that this package has all options of servers in the process of the test except inTest, with the
// same names of parameters.
func TestOptionNames(t *testing.T) {
	want, got := optionsOf(t, "embedded"), optionsOf(t, ".")
	for _, name := range inTest {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is not an option", name)
		}
		delete(want, name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("options in the process of the test (-) and of this package (+) differ:\n%s", diff)
	}
}

// optionsOf returns the names of the options that a package in a directory has, with those of their parameters.
func optionsOf(t *testing.T, dir string) map[string][]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	options := map[string][]string{}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "With") || strings.HasSuffix(name, "_test.go") {
				continue
			}
			var parameters []string
			for _, field := range f.Type.Params.List {
				parameters = slices.Concat(parameters, namesOf(field))
			}
			options[f.Name.Name] = parameters
		}
	}
	return options
}

func namesOf(field *ast.Field) []string {
	var names []string
	for _, name := range field.Names {
		names = append(names, name.Name)
	}
	return names
}
