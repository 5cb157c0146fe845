package load_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// module is a module on disk with packages in every state.
const module = `-- go.mod --
module example.com/m

go 1.25

require example.com/not/downloaded v1.0.0
-- one/b.go --
package one

type B int
-- one/a.go --
package one

type A int
-- one/a_test.go --
package one

type OnlyInTest int
-- one/tagged.go --
//go:build special

package one

type Tagged int
-- one/untagged.go --
//go:build !special

package one

type Untagged int
-- one/x_windows.go --
package one

type Windows int
-- two/v1/doc.go --
// Package v1 does not compile.
package v1

import (
	"example.com/m/one"
	"example.com/not/downloaded"
	"example.com/not/heard/of"
)

type T struct {
	one.B
	F one.Missing
	G undeclared
}
-- two/v1/broken.go --
package v1

func (
-- single/x.go --
package single
-- excluded/x.go --
//go:build special

package excluded
-- onlytest/x_test.go --
package onlytest
-- nothing/README --
No Go here.
-- testdata/hidden/x.go --
package hidden
-- nested/go.mod --
module example.com/nested

go 1.25
-- nested/x.go --
package nested
`

// extract writes the module to a new directory.
func extract(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(module)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// offline prevents the go command from downloading what is missing.
func offline(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
}

func paths(pkgs []*load.Package) string {
	var all []string
	for _, p := range pkgs {
		all = append(all, strings.TrimPrefix(p.Path, "example.com/"))
	}
	return strings.Join(all, " ")
}

func TestLoad(t *testing.T) {
	offline(t)
	dir := extract(t)
	for _, c := range []struct {
		name     string
		patterns []string
		want     string
		err      string // part of the error; empty for none
	}{
		{name: "all", patterns: []string{"./..."}, want: "m/one m/single m/two/v1"},
		{name: "folder", patterns: []string{"./one"}, want: "m/one"},
		{name: "import path", patterns: []string{"example.com/m/two/v1"}, want: "m/two/v1"},
		{name: "absolute folder", patterns: []string{filepath.Join(dir, "one")}, want: "m/one"},
		{name: "sorted, each once", patterns: []string{"./two/v1", "./one", "./...", "example.com/m/one"}, want: "m/one m/single m/two/v1"},
		{name: "build constraints leave nothing", patterns: []string{"./excluded", "./one"}, want: "m/one"},
		{name: "nothing but tests", patterns: []string{"./onlytest", "./one"}, want: "m/one"},
		{name: "no folder", patterns: []string{"./one", "./missing"}, err: "missing"},
		{name: "no such module", patterns: []string{"example.com/not/heard/of"}, err: "example.com/not/heard/of"},
		{name: "no Go files", patterns: []string{"./nothing"}, err: "nothing"},
		{name: "folders only", patterns: []string{"./two"}, err: "for the packages below it, use ./two/..."},
	} {
		t.Run(c.name, func(t *testing.T) {
			var diags diag.List
			l := load.New(t.Context(), load.Config{Dir: dir, Diags: &diags})
			got, err := l.Load(c.patterns...)
			if c.err != "" {
				if err == nil || !errors.Is(err, load.ErrNotFound) || !strings.Contains(err.Error(), c.err) {
					t.Errorf("got %v and error %v, want one about %s", paths(got), err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if paths(got) != c.want {
				t.Errorf("got %s, want %s", paths(got), c.want)
			}
			if err := diags.Err(dir); err != nil {
				t.Errorf("finding packages reads no file, but: %v", err)
			}
		})
	}
}

// TestLoadedPackage checks a package on disk and its imports.
func TestLoadedPackage(t *testing.T) {
	offline(t)
	dir := extract(t)
	var diags diag.List
	l := load.New(t.Context(), load.Config{Dir: dir, Diags: &diags})
	pkgs, err := l.Load("./two/v1")
	if err != nil {
		t.Fatal(err)
	}
	p := pkgs[0]
	again, err := l.Import(p.Path)
	if err != nil || again != p {
		t.Errorf("imported: another package, or %v", err)
	}
	want := load.Module{Path: "example.com/m", Dir: dir, Main: true}
	if p.Name != "v1" || p.Dir != filepath.Join(dir, "two", "v1") || p.Module != want {
		t.Errorf("got package %s in %s of %+v, want v1 of %+v", p.Name, p.Dir, p.Module, want)
	}
	if p.Pos().Filename != filepath.Join(p.Dir, "doc.go") {
		t.Errorf("main file is %s", p.Pos().Filename)
	}

	decl := typeT(t, p)
	if pos := decl.Pos(); pos.Filename != p.Pos().Filename || pos.Line != 10 || pos.Column != 6 {
		t.Errorf("T is at %v", pos)
	}
	for name, wantFound := range map[string]bool{"F": true, "B": true, "G": true, "H": false} {
		if f, unread := decl.Field(name, true); unread != nil || wantFound != (f != nil) {
			t.Errorf("field %s: found is %v, error %v", name, f != nil, unread)
		}
	}
	f, err := decl.Field("F", false)
	if err != nil {
		t.Fatal(err)
	}
	if found, unread := f.File.Resolve(f.Type); found != nil || !errors.Is(unread, load.ErrNotFound) {
		t.Errorf("one.Missing: got %v, %v", found, unread)
	}
	if err := diags.Err(dir); err != nil {
		t.Errorf("unrequested packages were read: %v", err)
	}
	p.Files(func(*load.File) bool { return true })
	const syntax = "two/v1/broken.go:3:8: expected ')', found 'EOF'"
	if err := diags.Err(dir); err == nil || err.Error() != syntax {
		t.Errorf("got %v, want %s", err, syntax)
	}
}

func TestImport(t *testing.T) {
	offline(t)
	l := load.New(t.Context(), load.Config{Dir: extract(t), Diags: new(diag.List)})
	for _, c := range []struct {
		path  string
		found bool
	}{
		{"example.com/m/one", true},
		{"example.com/m/single", true},
		{"go/token", true},
		{"example.com/m/missing", false},
		{"example.com/m/excluded", false},
		{"example.com/not/downloaded", false},
		{"example.com/nested", false},
		{"./one", false},
		{"", false},
	} {
		t.Run(c.path, func(t *testing.T) {
			p, err := l.Import(c.path)
			if c.found {
				if err != nil || p.Path != c.path {
					t.Errorf("got %v, %v", p, err)
				}
				return
			}
			if !errors.Is(err, load.ErrNotFound) {
				t.Errorf("got %v, %v", p, err)
			}
		})
	}
}

func TestBuildTags(t *testing.T) {
	offline(t)
	dir := extract(t)
	for _, c := range []struct {
		name string
		tags []string
		want string
	}{
		{"none", nil, "A B Untagged"},
		{"one", []string{"special"}, "A B Tagged"},
		{"several", []string{"other", "special"}, "A B Tagged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := load.New(t.Context(), load.Config{Dir: dir, BuildTags: c.tags, Diags: new(diag.List)})
			p, err := l.Import("example.com/m/one")
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			p.Files(func(f *load.File) bool {
				for _, decl := range f.Types() {
					names = append(names, decl.Name)
				}
				return true
			})
			if d := cmp.Diff(c.want, strings.Join(names, " ")); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestFileGone checks that a file that cannot be read is reported, once.
func TestFileGone(t *testing.T) {
	offline(t)
	dir := extract(t)
	var diags diag.List
	l := load.New(t.Context(), load.Config{Dir: dir, Diags: &diags})
	p, err := l.Import("example.com/m/one")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "one", "a.go")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if p.Lookup("A") != nil || p.Lookup("B") == nil {
			t.Error("B, and only B, is declared in a file that can be read")
		}
	}
	if err, want := diags.Err(dir), "one/a.go: no such file or directory"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := load.New(ctx, load.Config{Dir: t.TempDir(), Diags: new(diag.List)})
	if _, err := l.Load("./..."); !errors.Is(err, context.Canceled) {
		t.Errorf("load: got %v", err)
	}
	if _, err := l.Import("fmt"); !errors.Is(err, context.Canceled) {
		t.Errorf("import: got %v", err)
	}
}

// TestConcurrently uses a package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var diags diag.List
	files := sources("package p; import \"other/v1\"; type T struct { v1.Outer }; const C = 1\n" + other)
	l := load.FromSource(files, &diags)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			p, err := l.Import("p")
			if err != nil {
				t.Error(err)
				return
			}
			if f, err := p.Lookup("T").Field("F", true); f == nil || err != nil {
				t.Errorf("got %v, %v", f, err)
			}
			if !p.Declares("C") || p.Declares("T") {
				t.Error("C, and only C, is a value")
			}
		})
	}
	wg.Wait()
	if err := diags.Err(""); err != nil {
		t.Error(err)
	}
}
