package snippets_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/internal/snippets"
)

// without are the packages without an example, with the reason.
var without = map[string]string{
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
	"runtime/metrics.Register": "a process can register once, and a test does",
}

// TestExamples checks that each public package of the runtime has an example, and that examples run.
func TestExamples(t *testing.T) {
	count := 0
	err := snippets.EachPackage(root, func(pkg string) error {
		if !strings.HasPrefix(pkg, "runtime/") {
			return nil
		}
		examples, err := examplesOf(filepath.Join(root, pkg))
		if err != nil {
			return err
		}
		count += len(examples)
		switch reason := without[pkg]; {
		case len(examples) == 0 && reason == "":
			t.Errorf("%s has no example", pkg)
		case len(examples) > 0 && reason != "":
			t.Errorf("%s has an example, although %q", pkg, reason)
		}
		for _, example := range examples {
			name := pkg + "." + example.Name
			if runs := example.Output != "" || example.EmptyOutput; runs == (notRun[name] != "") {
				t.Errorf("the example of %s runs: %t; it is in the list of those that do not: %t", name, runs, !runs)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count == 0 {
		t.Error("found no example")
	}
}

// examplesOf returns the examples in the tests of a package.
func examplesOf(dir string) ([]*doc.Example, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range slices.Sorted(slices.Values(names)) {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return doc.Examples(files...), nil
}
