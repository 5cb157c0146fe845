package upstream

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// theirs are the tests of a package "box", of which ours exports only New.
const theirs = `package box

import (
	"testing"
	"their/gone"
	"their/other"
)

var opened = 1

// open opens a box.
func open(b Box) { b.lid = opened }

func helper(b Box) { open(b) }

func TestNew(t *testing.T) {
	other.Do(New())
}

func TestOpen(t *testing.T) { open(New()) }

func TestHelper(t *testing.T) { helper(New()); missing() }

func TestGone(t *testing.T) { gone.Do() }

func TestStandIn(t *testing.T) { inside(New().(*box)) }

func inside(b *box) { b.lid++ }

func Testimony() {}
`

const standIn = `package box

import . "ours/box"

type box = Box

func inside(Box) {}
`

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "box_test.go"), []byte(theirs), 0o666); err != nil {
		t.Fatal(err)
	}
	c := &checker{fset: token.NewFileSet(), whole: map[string]*rewritten{}, checked: map[string]*types.Package{}}
	for path, text := range map[string]string{
		"ours/box":   "package box\ntype Box interface{ Close() }\nfunc New() Box { return nil }",
		"ours/other": "package other\nfunc Do(any) {}",
		"testing":    "package testing\ntype T struct{}",
	} {
		c.whole[path] = &rewritten{path: path, fset: c.fset, sources: map[string][]*source{}}
		if err := c.whole[path].parse(&source{name: "a.go", text: []byte(text), given: true}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := rewrite(c.fset, dir, ".", "ours/box", func(path string) string {
		return strings.Replace(path, "their/other", "ours/other", 1)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err = r.standIn([]byte(standIn)); err != nil {
		t.Fatal(err)
	}
	kept, lost, err := prune(c.fset, r.sources["box"], func(files []*ast.File) []types.Error {
		_, faults := c.check("box", files)
		return faults
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"TestNew", "TestStandIn"}, kept); diff != "" {
		t.Errorf("kept, -want +got:\n%s", diff)
	}
	want := map[string][]string{"TestOpen": {"lid"}, "TestHelper": {"missing"}, "TestGone": {"their/gone"}}
	if diff := cmp.Diff(want, lost); diff != "" {
		t.Errorf("lost, -want +got:\n%s", diff)
	}
	text := string(r.sources["box"][0].text)
	if got, want := strings.Count(text, "\n"), strings.Count(theirs, "\n"); got != want {
		t.Errorf("%d lines, want %d", got, want)
	}
	for _, gone := range []string{"opens a box", "helper", "their/", "*box"} {
		if strings.Contains(text, gone) {
			t.Errorf("%q is still there:\n%s", gone, text)
		}
	}
}
