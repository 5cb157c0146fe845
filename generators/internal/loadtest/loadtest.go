// Package loadtest writes packages of tests to disk and loads them.
package loadtest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// Module is a module on disk, example.com/m, and its packages as found by the go command.
type Module struct {
	Dir      string
	Packages []*load.Package
}

// New writes the packages of an archive to a module.
func New(t *testing.T, archive string) *Module {
	t.Helper()
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	m := &Module{Dir: t.TempDir()}
	files := append(txtar.Parse([]byte(archive)).Files, txtar.File{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.25\n")})
	for _, f := range files {
		name := filepath.Join(m.Dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	loader := load.New(t.Context(), load.Config{Dir: m.Dir, Diags: new(diag.List)})
	var err error
	if m.Packages, err = loader.Load("./..."); err != nil {
		t.Fatal(err)
	}
	return m
}

// Below returns the packages below a directory.
func (m *Module) Below(dir string) []*load.Package {
	var all []*load.Package
	for _, p := range m.Packages {
		if strings.HasPrefix(p.Path, "example.com/m/"+dir+"/") {
			all = append(all, p)
		}
	}
	return all
}

// Lines returns the errors and warnings of a list as text.
func (m *Module) Lines(t *testing.T, diags *diag.List) []string {
	t.Helper()
	var all diag.Errors
	if err := diags.Err(m.Dir); err != nil && !errors.As(err, &all) {
		t.Fatal(err)
	}
	var lines []string
	for _, d := range append(all, diags.Warnings(m.Dir)...) {
		if (d.Pos.Line < 1 || d.Pos.Column < 1) && !strings.HasPrefix(d.Message, "--") {
			t.Errorf("%s: no place", d)
		}
		lines = append(lines, d.String())
	}
	return lines
}

// Kind is the text of a file with one kind, including package clause and imports.
func Kind(name, markers, fields string) string {
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
