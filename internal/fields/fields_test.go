package fields

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"
)

// stubs are the modules in testdata/stubs, which stand for Kubernetes' libraries.
var stubs = map[string]string{
	"k8s.io/apimachinery": "apimachinery", "k8s.io/api": "api", "k8s.io/client-go": "client-go", "sigs.k8s.io/controller-runtime": "controller-runtime",
	"github.com/listwatch/listwatch": "listwatch",
}

// extract writes the files of an archive to a new module that requires the stubs.
func extract(t *testing.T, files []txtar.File) string {
	t.Helper()
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs(filepath.Join("testdata", "stubs"))
	if err != nil {
		t.Fatal(err)
	}
	mod := "module example.test/program\n\ngo 1.25.0\n"
	for _, path := range slices.Sorted(maps.Keys(stubs)) {
		mod += fmt.Sprintf("\nrequire %s v0.0.0\nreplace %s => %s\n", path, path, filepath.Join(root, stubs[path]))
	}
	for _, f := range append(files, txtar.File{Name: "go.mod", Data: []byte(mod)}) {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var wantComment = regexp.MustCompile(`// want (".*")`)
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// wanted returns what the comments in files want, as file:line: text.
func wanted(t *testing.T, files []txtar.File) []string {
	t.Helper()
	list := []string{}
	for _, f := range files {
		for n, line := range strings.Split(string(f.Data), "\n") {
			m := wantComment.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			for _, q := range quoted.FindAllString(m[1], -1) {
				text, err := strconv.Unquote(q)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, fmt.Sprintf("%s:%d: %s", f.Name, n+1, text))
			}
		}
	}
	slices.Sort(list)
	return list
}

// found returns what a report says about a program in a directory, as file:line: text. It leaves out what is always kept.
func found(r *Report, dir string) []string {
	set := map[string]bool{}
	add := func(p Place, text string) {
		name, err := filepath.Rel(dir, p.Filename)
		if err != nil || !filepath.IsLocal(name) {
			name = filepath.Base(p.Filename)
		}
		if p.Reason != "" {
			text += ": " + p.Reason
		}
		set[fmt.Sprintf("%s:%d: %s", filepath.ToSlash(name), p.Line, text)] = true
	}
	for _, k := range r.Kinds {
		kind := k.Type[strings.LastIndex(k.Type, ".")+1:]
		for _, f := range k.Reads {
			if isKept(f.Path) {
				continue
			}
			path := f.Path
			if f.Presence {
				path += "?"
			}
			for _, p := range f.Places {
				add(p, kind+" "+path)
			}
		}
		for _, p := range k.Escapes {
			add(p, kind+" escapes")
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// each runs a test for each archive that matches a pattern, with the directory of its module.
func each(t *testing.T, pattern string, test func(t *testing.T, archive *txtar.Archive, dir string)) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			test(t, archive, extract(t, archive.Files))
		})
	}
}

// TestCases compares what is found in the programs in testdata with their comments.
func TestCases(t *testing.T) {
	each(t, filepath.Join("testdata", "*.txtar"), func(t *testing.T, archive *txtar.Archive, dir string) {
		report, err := Analyze(t.Context(), dir, []string{"./..."})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(wanted(t, archive.Files), found(report, dir)); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	})
}

// TestChecks compares the findings in the programs in testdata/checks with their comments.
func TestChecks(t *testing.T) {
	names := map[Severity]string{Lacking: "error", Escaping: "warning", Superfluous: "note"}
	each(t, filepath.Join("testdata", "checks", "*.txtar"), func(t *testing.T, archive *txtar.Archive, dir string) {
		findings, err := Check(t.Context(), dir, []string{"./..."})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, f := range findings {
			got = append(got, fmt.Sprintf("%s:%d: %s: %s", filepath.Base(f.Position.Filename), f.Position.Line, names[f.Severity], f.Message))
		}
		slices.Sort(got)
		if d := cmp.Diff(wanted(t, archive.Files), got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	})
}

// TestCheckPackage compares what single packages of the programs in testdata/checks lack with what the programs do.
func TestCheckPackage(t *testing.T) {
	found := 0
	each(t, filepath.Join("testdata", "checks", "*.txtar"), func(t *testing.T, _ *txtar.Archive, dir string) {
		all, err := Check(t.Context(), dir, []string{"./..."})
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.LoadSyntax}, "./...")
		if err != nil {
			t.Fatal(err)
		}
		var got []Finding
		for _, p := range loaded {
			got = append(got, CheckPackage(p.Fset, p.Types, p.Syntax, p.TypesInfo)...)
		}
		for _, f := range got {
			if f.Position.Offset = 0; !slices.ContainsFunc(all, func(of Finding) bool { of.Position.Offset = 0; return of == f }) {
				t.Errorf("the program does not lack: %s: %s", f.Position, f.Message)
			}
		}
		if len(loaded) == 1 {
			want := slices.DeleteFunc(all, func(f Finding) bool { return f.Severity != Lacking })
			if len(got) != len(want) {
				t.Errorf("%d findings, want %d", len(got), len(want))
			}
		}
		found += len(got)
	})
	if found == 0 {
		t.Error("nothing was found")
	}
}
