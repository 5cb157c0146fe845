package generators

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCancelledBeforeWriting cancels a run once its input is read: what could not be
// read any more may be missing in what was made of it, so nothing is written.
func TestCancelledBeforeWriting(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":   "module example.com/m\n\ngo 1.25\n",
		"types.go": "package shop\n\n// +genclient\n// +genclient:skipVerbs=list\ntype Shoe struct{ TypeMeta, ObjectMeta int }\n\nvar SchemeGroupVersion, AddToScheme int\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Run(ctx, RunOptions{Options: Options{Dir: dir, Patterns: []string{"."}, OutputDir: "out"}}, EmitterFunc(func(in *Input) ([]Tree, error) {
		cancel()
		return ListerEmitter().Plan(in)
	}))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
}

func TestModuleAbove(t *testing.T) {
	top := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":             "// A comment.\nmodule \"example.com/m\" // And another.\n\ngo 1.25\n",
		"nested/go.mod":      "module example.com/nested\n",
		"broken/go.mod":      "go 1.25\n",
		"broken/deep/x.txt":  "",
		"sub/go.mod/x.txt":   "",
		"sub/deep/other.mod": "module example.com/other\n",
	} {
		name = filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		dir  string
		want Place
		err  string
	}{
		{name: "the directory itself", dir: "", want: Place{"", "example.com/m"}},
		{name: "missing directories", dir: "a/b/c", want: Place{"", "example.com/m"}},
		{name: "nested module", dir: "nested/a", want: Place{"nested", "example.com/nested"}},
		{name: "directory called go.mod", dir: "sub/deep", want: Place{"", "example.com/m"}},
		{name: "go.mod without a module", dir: "broken/deep", err: "has no module directive"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := moduleAbove(filepath.Join(top, c.dir))
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("found %v with the error %v, want an error with %q", got, err, c.err)
				}
				return
			}
			c.want.Dir = filepath.Join(top, c.want.Dir)
			if err != nil || got != c.want {
				t.Errorf("got %+v, %v, want %+v", got, err, c.want)
			}
		})
	}
	if got, err := moduleAbove(string(filepath.Separator)); err == nil {
		t.Errorf("above everything: got %+v", got)
	}
}

func TestPlaces(t *testing.T) {
	p := Place{filepath.FromSlash("/src/m/out"), "example.com/m/out"}
	for _, c := range []struct {
		name      string
		got, want Place
	}{
		{"below", p.Below("a", "b/c"), Place{filepath.FromSlash("/src/m/out/a/b/c"), "example.com/m/out/a/b/c"}},
		{"nothing below", p.Below(""), p},
		{"beside", Place{Pkg: p.beside("a", "b")}, Place{Pkg: "example.com/m/a/b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("got %+v, want %+v", c.got, c.want)
			}
		})
	}
	root := Place{filepath.FromSlash("/src/m"), "example.com/m"}
	for _, dir := range []string{"", "out", "out/deep"} {
		got, err := root.at(filepath.Join(root.Dir, dir))
		if want := root.Below(dir); err != nil || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", dir, got, err, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 packages", 1: "1 package", 2: "2 packages"} {
		if got := plural(n, "package"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
