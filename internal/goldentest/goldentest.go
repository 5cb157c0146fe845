// Package goldentest compares the output of the generators for every case below testdata/apis with
// the expected output, for one runtime.
//
// It is outside of golden because two modules use it; package golden_test there describes what is
// compared.
package goldentest

import (
	"bytes"
	"go/format"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/source"
	"github.com/listwatch/listwatch/internal/testcase"
)

// Test runs the generators on each case and compares their output with the current directory, which
// contains the runtime's expected output. kept lists the cases whose trees are there.
func Test(t *testing.T, flavour testcase.Flavour, kept ...string) {
	root := golden.Root(t)
	cases, err := testcase.All(root)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex // guards results
	results := map[string]*result{}
	ok := t.Run("generate", func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				r := check(t, c, flavour, root, kept)
				mu.Lock()
				defer mu.Unlock()
				results[c.Name] = r
			})
		}
	})
	if !ok || len(results) < len(cases) {
		return // only some cases were requested, or could be generated
	}
	t.Run("types", func(t *testing.T) { checkTypes(t, results) })
	t.Run("rare", func(t *testing.T) { compareRare(t, results) })
	t.Run("models", func(t *testing.T) { checkLeftovers(t, "models", slices.Collect(maps.Keys(results))) })
}

// result is what a case generates.
type result struct {
	// emitted are the files, by their paths below the case's directory.
	emitted map[string][]byte
	// kept are those that are in the case's tree.
	kept map[string]bool
	// tree contains the files with the hand-written ones.
	tree *source.Tree
	*coverage
}

// check generates a case and compares what needs no other case.
func check(t *testing.T, c testcase.Case, flavour testcase.Flavour, root string, kept []string) *result {
	t.Helper()
	watchFiles(t, c.Dir)
	scratch := t.TempDir()
	out, err := c.Generate(t.Context(), flavour, root, scratch)
	if err != nil {
		t.Fatal(err)
	}
	models, planned := map[testcase.Tool]any{}, []generators.Tree{}
	for tool, report := range out.Reports {
		models[tool] = report.API
		planned = append(planned, report.Trees...)
	}
	golden.File(t, filepath.Join("models", c.Name+".txt"), describe(out, models))
	checkFiles(t, out.Emitted, flavour)
	r := &result{emitted: out.Emitted, kept: compareTree(t, c.Name, out.Emitted, kept)}
	r.coverage, err = cover(planned, generators.Runtime(flavour), func(tree generators.Tree, file generators.File) string {
		return strings.TrimPrefix(tree.Place.Pkg+"/"+file.Path, c.Golden(flavour)+"/")
	})
	if err != nil {
		t.Fatal(err)
	}
	texts := maps.Clone(out.Beside)
	maps.Copy(texts, out.Emitted)
	if r.tree, err = source.ParseTexts(texts, c.Name, c.Golden(flavour)); err != nil {
		t.Fatal(err)
	}
	return r
}

// watchFiles opens the files in a directory: files that only the go command reads do not count for
// its cache of test results.
func watchFiles(t *testing.T, dir string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(_ string, _ fs.DirEntry, err error) error { return err }); err != nil {
		t.Fatal(err)
	}
}

// compareTree compares the files of a case with its tree, if the case is one of kept, or writes it with
// golden.Update. It returns the files that are in it.
func compareTree(t *testing.T, dir string, emitted map[string][]byte, kept []string) map[string]bool {
	t.Helper()
	if !slices.Contains(kept, dir) {
		emitted = nil
	}
	old, _, err := testcase.Golden(dir)
	if err != nil {
		t.Fatal(err)
	}
	compared := map[string]bool{}
	for name, text := range emitted {
		compared[name] = true
		if !bytes.Equal(old[name], text) {
			golden.File(t, filepath.Join(dir, filepath.FromSlash(name)), string(text))
		}
	}
	for name := range old {
		if _, wanted := emitted[name]; wanted {
			continue
		}
		name = filepath.Join(dir, filepath.FromSlash(name))
		if !golden.Update {
			t.Errorf("%s exists but is not generated, or its case is not kept", name)
			continue
		}
		if err := os.Remove(name); err != nil {
			t.Error(err)
		}
		for dir := filepath.Dir(name); os.Remove(dir) == nil; dir = filepath.Dir(dir) {
		}
	}
	return compared
}

// checkFiles fails for files that gofmt would change, since templates print gofmt's format, and for
// those of our own runtime that import client-go.
func checkFiles(t *testing.T, files map[string][]byte, flavour testcase.Flavour) {
	t.Helper()
	for name, text := range files {
		formatted, err := format.Source(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := diff.Diff(name, text, "gofmt", formatted); d != nil {
			t.Errorf("%s", d)
		}
		if flavour == testcase.Listwatch && bytes.Contains(text, []byte(`"k8s.io/client-go`)) {
			t.Errorf("%s imports client-go", name)
		}
	}
}

// checkTypes type-checks trees, with one load of their imports from the module around the current
// directory.
func checkTypes(t *testing.T, results map[string]*result) {
	var imports []string
	for _, r := range results {
		imports = append(imports, r.tree.Imports()...)
	}
	slices.Sort(imports)
	outside, err := source.Outside(".", slices.Compact(imports))
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range results {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := r.tree.Check(outside); err != nil {
				t.Error(err)
			}
		})
	}
}

// checkLeftovers fails for texts in a directory of cases that have none, or with golden.Update, removes them.
func checkLeftovers(t *testing.T, dir string, cases []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if slices.Contains(cases, strings.TrimSuffix(entry.Name(), ".txt")) {
			continue
		}
		file := filepath.Join(dir, entry.Name())
		if !golden.Update {
			t.Errorf("%s is of no case", file)
		} else if err := os.Remove(file); err != nil {
			t.Error(err)
		}
	}
}
