package snippets_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/internal/snippets"
)

// without are the packages without an example, with the reason.
var without = map[string]string{
	"apitest/inprocess":                    "it is imported for its effect",
	"apitest/perturb":                      "it needs a test",
	"generators/analyzer":                  "listwatch-vet and golangci-lint run it",
	"generators/model":                     "package generators has examples with it",
	"runtime/apply/schemas":                "generated apply configurations call it",
	"runtime/auth":                         "it is imported for its effect",
	"runtime/auth/azure":                   "it is imported for its effect",
	"runtime/auth/gcp":                     "it is imported for its effect",
	"runtime/auth/oidc":                    "it is imported for its effect",
	"runtime/clientauthentication":         "the version that programs use is v1",
	"runtime/clientauthentication/install": "the version that programs use is v1",
	"runtime/clientauthentication/v1beta1": "the version that programs use is v1",
	"runtime/clientcmd/api/v1":             "package clientcmd reads and writes it",
	"runtime/compat":                       "the module client-go calls it",
	"runtime/version":                      "generated code names its constants",
}

// notRun are the examples that are only compiled, with the reason.
var notRun = map[string]string{
	"kubernetes/shards.":       "it waits for a second",
	"runtime/metrics.Register": "a process can register once, and a test does",
}

// TestExamples checks that each package that users import has an example, unless it is generated, and that
// examples run.
func TestExamples(t *testing.T) {
	count := 0
	for _, dir := range []string{
		"apitest", "clientgo", "controllerruntime", "generators", "kubernetes", "metrics/prometheus", "runtime", "streaming",
	} {
		err := snippets.EachPackage(filepath.Join(root, dir), func(pkg string) error {
			pkg = path.Join(dir, pkg)
			examples, generated, err := examplesOf(filepath.Join(root, pkg))
			if err != nil {
				return err
			}
			count += len(examples)
			switch reason := without[pkg]; {
			case len(examples) == 0 && reason == "" && !generated:
				t.Errorf("%s has no example", pkg)
			case len(examples) > 0 && reason != "":
				t.Errorf("%s has an example, although %q", pkg, reason)
			}
			for _, example := range examples {
				name := pkg + "." + example.Name
				if runs := example.Output != "" || example.EmptyOutput; runs == (notRun[name] != "") {
					t.Errorf("the example of %s runs: %t; it is in the list of those that do not: %t", name, runs, runs)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if count == 0 {
		t.Error("found no example")
	}
}

// examplesOf returns the examples in the tests of a package, and whether a file of the package is generated.
func examplesOf(dir string) (examples []*doc.Example, generated bool, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, false, err
	}
	var tests []*ast.File
	for _, name := range names {
		mode := parser.PackageClauseOnly | parser.ParseComments
		test := strings.HasSuffix(name, "_test.go")
		if test {
			mode = parser.ParseComments
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, mode)
		if err != nil {
			return nil, false, err
		}
		if test {
			tests = append(tests, f)
		} else if ast.IsGenerated(f) && filepath.Base(name) != "zz_generated.deepcopy.go" {
			generated = true
		}
	}
	return doc.Examples(tests...), generated, nil
}
