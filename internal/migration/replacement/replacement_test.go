package replacement_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/goproxytest"
	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/migration/replacement"
)

// The archives in testdata/cases contain files, and in "outcome" what happened with the files that changed. Lines of
// their comment set options. The modules in testdata/modules are on a proxy.
func TestDo(t *testing.T) {
	server := goproxytest.NewTestServer(t, filepath.Join("testdata", "modules"), "")
	for name, value := range map[string]string{
		"GOPROXY": server.URL, "GOSUMDB": "off", "GOFLAGS": "-modcacherw", "GOMODCACHE": t.TempDir(), "GOWORK": "", "GOTOOLCHAIN": "local",
	} {
		t.Setenv(name, value)
	}
	archives, err := filepath.Glob(filepath.Join("testdata", "cases", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "outcome" })
			dir := t.TempDir()
			for _, f := range archive.Files {
				write(t, filepath.Join(dir, f.Name), f.Data)
			}
			before := tree(t, dir)
			outcome := do(t, options(string(archive.Comment), dir))
			outcome += changes(before, tree(t, dir))
			archive.Files = append(archive.Files, txtar.File{Name: "outcome", Data: []byte(strings.ReplaceAll(outcome, dir, "$WORK"))})
			golden.File(t, name, string(txtar.Format(archive)))
		})
	}
}

// options returns the options that the comment of an archive sets.
func options(comment, dir string) replacement.Options {
	o := replacement.Options{Dir: filepath.Join(dir, "program"), With: "latest"}
	for line := range strings.Lines(comment) {
		line = strings.TrimSpace(line)
		if with, ok := strings.CutPrefix(line, "with: "); ok {
			o.With = with
		}
		if in, ok := strings.CutPrefix(line, "in: "); ok {
			o.Dir, o.Patterns = dir, []string{"./" + in}
		}
		if line == "dry run" {
			o.DryRun = true
		}
	}
	return o
}

// do returns what happens as text.
func do(t *testing.T, o replacement.Options) string {
	t.Helper()
	var b strings.Builder
	o.Step = func(text string) { fmt.Fprintf(&b, "%s\n", text) }
	out, err := replacement.Do(t.Context(), o)
	if err != nil {
		fmt.Fprintf(&b, "error: %s\n", strings.ReplaceAll(err.Error(), os.Getenv("GOPROXY"), "$PROXY"))
	}
	if out == nil {
		return b.String()
	}
	if errors.Is(err, replacement.ErrCompile) != (len(out.Errors) > 0) {
		t.Errorf("error %v, with %v", err, out.Errors)
	}
	for _, e := range out.Errors {
		e.Position.Filename = strings.TrimPrefix(e.Position.Filename, os.Getenv("GOMODCACHE"))
		fmt.Fprintf(&b, "%s: %s (%s, module %q)\n", e.Position, strings.ReplaceAll(e.Message, os.Getenv("GOPROXY"), "$PROXY"), e.Package, e.Module)
	}
	if err == nil {
		fmt.Fprintf(&b, "%s: %s, was %q\n", out.Module, out.Target, out.Was)
		if out.Untidy != nil {
			fmt.Fprintf(&b, "untidy: %s\n", strings.ReplaceAll(out.Untidy.Error(), os.Getenv("GOPROXY"), "$PROXY"))
		}
		fmt.Fprintf(&b, "raised to %s: %q\n", out.Version, out.Raised)
		fmt.Fprintf(&b, "%d packages compile, broken before %q, vendored %t\n", out.Packages, out.Broken, out.Vendored)
		for _, f := range out.Files {
			fmt.Fprintf(&b, "changed: %s\n", f.Path)
		}
	}
	return b.String()
}

// tree reads the files below a directory, except for checksums.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) == ".sum" {
			return err
		}
		text, err := os.ReadFile(name)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// changes prints the files that differ.
func changes(before, after map[string]string) string {
	var b bytes.Buffer
	for name := range before {
		if _, ok := after[name]; !ok {
			after[name] = "removed"
		}
	}
	var names []string
	for name := range after {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if before[name] != after[name] {
			fmt.Fprintf(&b, "\n%s:\n%s", name, after[name])
		}
	}
	return b.String()
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}
