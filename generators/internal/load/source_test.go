package load_test

import (
	"fmt"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// sources returns the files of a txtar archive by name. Text before the first of
// them is the file p/types.go.
func sources(archive string) map[string]string {
	files := map[string]string{}
	parsed := txtar.Parse([]byte(archive))
	if len(parsed.Comment) > 0 {
		files["p/types.go"] = string(parsed.Comment)
	}
	for _, f := range parsed.Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// fromSource returns package p of an archive, which must not contain syntax errors.
func fromSource(t *testing.T, files map[string]string) *load.Package {
	t.Helper()
	var diags diag.List
	p, err := load.FromSource(files, &diags).Import("p")
	if err != nil {
		t.Fatal(err)
	}
	p.Files(func(*load.File) bool { return true })
	if err := diags.Err(""); err != nil {
		t.Fatal(err)
	}
	return p
}

// typeT returns the type T of a package, which must exist.
func typeT(t *testing.T, p *load.Package) *load.Type {
	t.Helper()
	found := p.Lookup("T")
	if found == nil {
		t.Fatalf("package %s has no type T", p.Path)
	}
	return found
}

// placed returns lines as "line:column text".
func placed(lines []load.Line) []string {
	var all []string
	for _, l := range lines {
		all = append(all, fmt.Sprintf("%d:%d %s", l.Pos.Line, l.Pos.Column, l.Text))
	}
	return all
}
