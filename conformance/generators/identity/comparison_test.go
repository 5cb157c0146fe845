package identity_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/identity/goapi"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/source"
)

// Generators of trees, as differences name them.
const (
	upstream = "upstream"
	ours     = "ours"
	released = "client-go"
)

// tree is the output of one generator for an input.
type tree struct {
	maker, dir string
	files      []string
	parsed     *source.Tree
	api        goapi.Side
}

// parse reads the tree in dir, which is generated for the import path pkg.
func parse(maker, dir, pkg string) (*tree, error) {
	files, err := source.Files(dir)
	if err != nil {
		return nil, err
	}
	parsed, err := source.Parse(dir, pkg)
	if err != nil {
		return nil, err
	}
	return &tree{maker: maker, dir: dir, files: files, parsed: parsed}, nil
}

// check type-checks the tree and describes its API as far as possible.
func (tr *tree) check(outside source.Packages) error {
	checked, err := tr.parsed.Check(outside)
	if err != nil {
		err = fmt.Errorf("output of %s does not compile: %w", tr.maker, err)
	}
	if len(checked) == 0 {
		err = fmt.Errorf("output of %s: no packages", tr.maker)
	}
	tr.api = goapi.Side{Name: tr.maker, Packages: map[string]goapi.API{}}
	for p, pkg := range checked {
		api := goapi.Of(pkg)
		for symbol, text := range api {
			if strings.Contains(text, "invalid type") {
				err = errors.Join(err, fmt.Errorf("%s: %s.%s: %s", tr.maker, p, symbol, text))
			}
		}
		tr.api.Packages[p] = api
	}
	return err
}

// String describes the size of the tree.
func (tr *tree) String() string {
	symbols := 0
	for _, api := range tr.api.Packages {
		symbols += len(api)
	}
	return fmt.Sprintf("%s: %d files, %d packages, %d symbols", tr.maker, len(tr.files), len(tr.api.Packages), symbols)
}

// load loads the imports of the trees from the module around dir.
func load(dir string, trees ...*tree) (source.Packages, error) {
	var paths []string
	for _, tr := range trees {
		paths = append(paths, tr.parsed.Imports()...)
	}
	slices.Sort(paths)
	return source.Outside(dir, slices.Compact(paths))
}

func mustParse(t *testing.T, maker, dir, pkg string) *tree {
	t.Helper()
	tr, err := parse(maker, dir, pkg)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// check checks trees with one load of their imports. One that does not compile fails the test, but
// can be compared.
func check(t *testing.T, dir string, trees ...*tree) {
	t.Helper()
	outside, err := load(dir, trees...)
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range trees {
		if err := tr.check(outside); err != nil {
			t.Error(err)
		}
	}
}

// difference is one line of a comparison. The table of exceptions refers to it by name.
type difference struct{ name, text string }

func (d difference) String() string { return d.name + ": " + d.text }

// compare returns the differences between two checked trees: files that only
// one has, then symbols.
func compare(a, b *tree) []difference {
	var diffs []difference
	for _, f := range a.files {
		if !slices.Contains(b.files, f) {
			diffs = append(diffs, difference{f, a.maker + " file / " + b.maker + " absent"})
		}
	}
	for _, f := range b.files {
		if !slices.Contains(a.files, f) {
			diffs = append(diffs, difference{f, a.maker + " absent / " + b.maker + " file"})
		}
	}
	for _, d := range goapi.Diff(a.api, b.api) {
		diffs = append(diffs, difference{d.Name(), d.Text})
	}
	return diffs
}

// split divides the packages of an input into versions and internal versions: a package with others
// directly below it is internal.
func split(paths []string) (external, internal []string) {
	for _, p := range paths {
		if slices.ContainsFunc(paths, func(q string) bool { return path.Dir(q) == p }) {
			internal = append(internal, p)
		} else {
			external = append(external, p)
		}
	}
	return external, internal
}

// workDir returns an empty directory for a generator's output for the input.
func workDir(t *testing.T, input, maker string) string {
	t.Helper()
	dir, err := peers.Work("identity", input, maker)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// copyFiles copies the files below from that keep selects, by their slash-separated path and
// content, to the same place below to. There may be none.
func copyFiles(t *testing.T, from, to string, keep func(file, content string) bool) {
	t.Helper()
	files, err := source.Files(from)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(f)))
		if err != nil {
			t.Fatal(err)
		}
		if !keep(f, string(content)) {
			continue
		}
		target := filepath.Join(to, filepath.FromSlash(f))
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// handwritten reports whether a file among generated ones is hand-written.
func handwritten(file, content string) bool {
	return isSource(file) && !strings.Contains(content, "\n// Code generated by ")
}

func isSource(file string) bool {
	return path.Ext(file) == ".go" && !strings.HasSuffix(file, "_test.go")
}
