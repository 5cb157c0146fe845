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

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/observe"
	"github.com/listwatch/listwatch/internal/source"
	"github.com/listwatch/listwatch/internal/testcase"
)

// Test runs the generators on each case and compares their output with the current directory, which
// contains the runtime's expected output. kept lists the cases whose trees are there, or with a
// slash, a directory of such a tree that alone is there: apply/applyconfiguration.
func Test(t *testing.T, flavour testcase.Flavour, kept ...string) {
	root := golden.Root(t)
	cases, err := testcase.All(root)
	if err != nil {
		t.Fatal(err)
	}
	var (
		mu    sync.Mutex // guards trees
		trees = map[string]*source.Tree{}
		run   branches
	)
	ok := t.Run("generate", func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				watchFiles(t, c.Dir)
				keep := func(name string) bool { return isKept(kept, c.Name, name) }
				var seen []observe.Output
				out, err := c.Generate(observe.With(t.Context(), func(o observe.Output) {
					seen = append(seen, o)
				}), flavour, root, t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				golden.File(t, filepath.Join("models", c.Name+".txt"), describe(out, seen))
				compareTree(t, c.Name, out.Emitted, keep)
				checkFiles(t, out.Emitted, flavour)
				seen = slices.DeleteFunc(seen, func(o observe.Output) bool { return !keep(testcase.FolderOf(o.Tool)) })
				if err = run.execute(seen); err != nil {
					t.Error(err)
				}
				texts := maps.Clone(out.Beside)
				maps.Copy(texts, out.Emitted)
				tree, err := source.ParseTexts(texts, c.Name, c.Golden(flavour))
				if err != nil {
					t.Fatal(err)
				}
				mu.Lock()
				defer mu.Unlock()
				trees[c.Name] = tree
			})
		}
	})
	if !ok || len(trees) < len(cases) {
		return // only some cases were requested, or could be generated
	}
	t.Run("types", func(t *testing.T) { checkTypes(t, trees) })
	t.Run("templates", func(t *testing.T) {
		for _, place := range run.missed() {
			t.Errorf("no checked-in tree executes %s; add one that does", place)
		}
	})
	t.Run("leftovers", func(t *testing.T) { checkModels(t, cases) })
}

// watchFiles opens the files in a directory: files that only the go command reads do not count for
// its cache of test results.
func watchFiles(t *testing.T, dir string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(_ string, _ fs.DirEntry, err error) error { return err }); err != nil {
		t.Fatal(err)
	}
}

// isKept reports whether the file or directory of a case is part of the expected output.
func isKept(kept []string, dir, name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return slices.Contains(kept, dir) || slices.Contains(kept, dir+"/"+top)
}

// compareTree compares the files that are kept with the tree of the case; with -update, it writes
// the tree.
func compareTree(t *testing.T, dir string, emitted map[string][]byte, keep func(name string) bool) {
	t.Helper()
	emitted = maps.Clone(emitted)
	maps.DeleteFunc(emitted, func(name string, _ []byte) bool { return !keep(name) })
	old, _, err := testcase.Golden(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range emitted {
		if !bytes.Equal(old[name], text) {
			golden.File(t, filepath.Join(dir, filepath.FromSlash(name)), string(text))
		}
	}
	for name := range old {
		if _, wanted := emitted[name]; wanted {
			continue
		}
		name = filepath.Join(dir, filepath.FromSlash(name))
		if !*golden.Update {
			t.Errorf("%s exists but is not generated, or its case is not kept", name)
			continue
		}
		if err := os.Remove(name); err != nil {
			t.Error(err)
		}
		for dir := filepath.Dir(name); os.Remove(dir) == nil; dir = filepath.Dir(dir) {
		}
	}
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
func checkTypes(t *testing.T, trees map[string]*source.Tree) {
	var imports []string
	for _, tree := range trees {
		imports = append(imports, tree.Imports()...)
	}
	slices.Sort(imports)
	outside, err := source.Outside(".", slices.Compact(imports))
	if err != nil {
		t.Fatal(err)
	}
	for name, tree := range trees {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := tree.Check(outside); err != nil {
				t.Error(err)
			}
		})
	}
}

// checkModels fails for texts of cases that no longer exist, or with -update, removes them.
func checkModels(t *testing.T, cases []testcase.Case) {
	entries, err := os.ReadDir("models")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".txt")
		if slices.ContainsFunc(cases, func(c testcase.Case) bool { return c.Name == name }) {
			continue
		}
		file := filepath.Join("models", entry.Name())
		if !*golden.Update {
			t.Errorf("%s is of no case", file)
		} else if err := os.Remove(file); err != nil {
			t.Error(err)
		}
	}
}
