package scan_test

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/scan"
	"github.com/listwatch/listwatch/generators/model"
	_ "github.com/listwatch/listwatch/internal/golden" // for the flag -update
)

// world is a module on disk, and its packages as found by the go command.
type world struct {
	dir    string
	diags  diag.List
	loader *load.Loader
	pkgs   []*load.Package
}

// newWorld writes the packages of an archive to a module, example.com/m.
func newWorld(t *testing.T, archive string) *world {
	t.Helper()
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	w := &world{dir: t.TempDir()}
	files := registered(txtar.Parse([]byte(archive)).Files)
	files = append(files, txtar.File{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.25\n")})
	for _, f := range files {
		name := filepath.Join(w.dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w.loader = load.New(t.Context(), load.Config{Dir: w.dir, Diags: &w.diags})
	var err error
	if w.pkgs, err = w.loader.Load("./..."); err != nil {
		t.Fatal(err)
	}
	return w
}

// registered adds a file with the declarations that clients need to packages with kinds that have
// none.
func registered(files []txtar.File) []txtar.File {
	missing := map[string]string{} // package names by directory
	for _, f := range files {
		if strings.Contains(string(f.Data), "genclient") {
			name, _, _ := strings.Cut(string(f.Data[strings.Index(string(f.Data), "package ")+len("package "):]), "\n")
			missing[path.Dir(f.Name)] = name
		}
	}
	for _, f := range files {
		if strings.Contains(string(f.Data), "GroupVersion") || strings.Contains(string(f.Data), "register-gen") {
			delete(missing, path.Dir(f.Name))
		}
	}
	for dir, name := range missing {
		text := "package " + name + "\n\nvar SchemeGroupVersion, AddToScheme, Resource int\n"
		files = append(files, txtar.File{Name: path.Join(dir, "zz_register.go"), Data: []byte(text)})
	}
	return files
}

// sources returns the packages below a directory.
func (w *world) sources(dir string) []scan.Source {
	var all []scan.Source
	for _, p := range w.pkgs {
		if strings.HasPrefix(p.Path, "example.com/m/"+dir+"/") {
			all = append(all, scan.Source{Package: p})
		}
	}
	return all
}

// scan returns the model of packages and its errors, both as text.
func (w *world) scan(t *testing.T, sources []scan.Source, opts scan.Options) (api, faults []string) {
	t.Helper()
	var diags diag.List
	opts.Diags = &diags
	opts.Clients, opts.Fakes = true, true
	api = describe(scan.Scan(sources, opts))
	var all diag.Errors
	if err := diags.Err(w.dir); err != nil && !errors.As(err, &all) {
		t.Fatal(err)
	}
	for _, d := range append(all, diags.Warnings(w.dir)...) {
		if (d.Pos.Line < 1 || d.Pos.Column < 1) && !strings.HasPrefix(d.Message, "--") {
			t.Errorf("%s: no place", d)
		}
		faults = append(faults, d.String())
	}
	return api, faults
}

// describe returns a line for each version, and one for each kind below it.
func describe(api *model.API) []string {
	var lines []string
	for _, g := range api.Groups {
		for _, v := range g.Versions {
			lines = append(lines, fmt.Sprintf("%s/%s of %q is %s, imported as %s", g.Dir, v.NonEmptyName(), g.Name, v.GoName(), v.Types.Alias))
			for _, k := range v.Kinds {
				lines = append(lines, "  "+describeKind(k))
			}
		}
	}
	return lines
}

func describeKind(k *model.Kind) string {
	facts := []string{k.Name, k.Resource}
	for _, f := range []struct {
		is   bool
		word string
	}{
		{!k.Namespaced, "cluster-scoped"}, {k.HasStatus, "status"}, {k.NoVerbs, "no verbs"},
		{k.ItemsArePointers, "pointers"}, {len(k.Skip) > 0, "without " + strings.Join(k.Skip, ",")},
	} {
		if f.is {
			facts = append(facts, f.word)
		}
	}
	for _, m := range k.Methods {
		facts = append(facts, fmt.Sprintf("%s(%s %s.%s) %s.%s", m.Name, m.InputParam, m.Input.Package.Alias, m.Input.Name, m.Result.Package.Alias, m.Result.Name))
	}
	return strings.Join(facts, ", ")
}

// checkLines compares the beginnings of lines with the expected ones.
func checkLines(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("%s:\n%s", what, cmp.Diff(want, got))
	}
}

// kind is the text of a file with one kind, including package clause and imports.
func kind(name, markers, fields string) string {
	return `package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +genclient
` + markers + `type ` + name + ` struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
` + fields + `}

type ` + name + `List struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []` + name + `
}
`
}

// oneKind returns an archive with a package per directory, with one kind each, and the package's
// markers in doc.go.
func oneKind(folders map[string]string) string {
	var b strings.Builder
	for dir, markers := range folders {
		fmt.Fprintf(&b, "-- %s/doc.go --\n%s\npackage v1\n", dir, markers)
		fmt.Fprintf(&b, "-- %s/types.go --\n%s", dir, kind("Shoe", "", ""))
	}
	return b.String()
}
