package load_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// declarations are sources, with their types in order, and their functions, variables and
// constants.
var declarations = []struct {
	name   string
	give   string
	types  []string
	values []string
}{
	{name: "nothing", give: "package p"},
	{name: "type", give: "package p\ntype A int", types: []string{"A"}},
	{name: "alias", give: "package p\ntype A = int", types: []string{"A"}},
	{name: "generic", give: "package p\ntype A[B any] struct{}", types: []string{"A"}},
	{name: "group", give: "package p\ntype (\n\tB int\n\tA int\n\n\tC int\n)", types: []string{"B", "A", "C"}},
	{name: "group on one line", give: "package p;type(A int;B int; C int)", types: []string{"A", "B", "C"}},
	{name: "far from its keyword", give: "package p\ntype \t A int\ntype\nB int\ntype/**/C int\ntype/**//**/ D int\ntype // x\nE int", types: []string{"A", "B", "C", "D", "E"}},
	{name: "comments within", give: "package p\ntype (/* A */ A /* B */ int; B /* C */ = int)", types: []string{"A", "B"}},
	{name: "names that hold each other", give: "package p\ntype AB int\ntype BA int\ntype A int\ntype B int", types: []string{"AB", "BA", "A", "B"}},
	{name: "letters of other scripts", give: "package p\ntype Ä int\ntype A int", types: []string{"Ä", "A"}},
	{name: "carriage returns", give: "package p\r\ntype (\r\n\tA int\r\n)\r\ntype\r\nB int\r\nvar(\r\nC int\r\n)", types: []string{"A", "B"}, values: []string{"C"}},
	{name: "byte order mark", give: "\ufeffpackage p\ntype A int", types: []string{"A"}},
	{name: "function", give: "package p\nfunc A() {}\nfunc B[T any](T) {}\nfunc /**/ C() {}", values: []string{"A", "B", "C"}},
	{name: "no method", give: "package p\nfunc (T) A() {}\nfunc (t *T) B() {}"},
	{name: "no field, parameter or local", give: "package p\nvar x struct{ A, B int }\nfunc f(C, D int) (E int) { var F int; type G int; const H = 1; return F }", values: []string{"x", "f"}},
	{name: "constants", give: "package p\nconst A = 1\nconst (\n\tB = iota\n\tC\n\tD, E = 1, 2\n)", values: []string{"A", "B", "C", "D", "E"}},
	{name: "variables", give: "package p\nvar A int\nvar (\n\tB,\n\tC, D int\n\tE = 1\n)", values: []string{"A", "B", "C", "D", "E"}},
	{name: "several on a line", give: "package p\nvar A,B /**/ , /**/ C int;const D,E=1,2", values: []string{"A", "B", "C", "D", "E"}},
	{name: "type and values by turns", give: "package p\nvar A B\ntype B C\nfunc C() B { return A }", types: []string{"B"}, values: []string{"A", "C"}},
}

func TestLookup(t *testing.T) {
	names := []string{"", "A", "B", "C", "D", "E", "F", "G", "H", "Ä", "x", "f", "p", "int", "type"}
	for _, c := range declarations {
		t.Run(c.name, func(t *testing.T) {
			p := fromSource(t, map[string]string{"p/types.go": c.give})
			var types []string
			p.Files(func(f *load.File) bool {
				for _, decl := range f.Types() {
					types = append(types, decl.Name)
				}
				return true
			})
			if d := cmp.Diff(c.types, types); d != "" {
				t.Errorf("types: %s", d)
			}
			for _, name := range names {
				found := p.Lookup(name)
				if want := slices.Contains(c.types, name); want != (found != nil) {
					t.Errorf("type %q: declared is %v", name, want)
				}
				if found != nil && found.Name != name {
					t.Errorf("type %q: found %q", name, found.Name)
				}
				if want := slices.Contains(c.values, name); want != p.Declares(name) {
					t.Errorf("value %q: declared is %v", name, want)
				}
			}
		})
	}
}

// TestLookupParsesLittle checks that a file is parsed only if it can declare the name: a file with
// syntax errors is reported only then.
func TestLookupParsesLittle(t *testing.T) {
	for _, c := range []struct {
		name   string
		give   string // besides a syntax error
		types  bool   // parsed when type A is looked up
		values bool   // parsed when value A is looked up
	}{
		{name: "not there", give: "type B int"},
		{name: "type", give: "type A int", types: true},
		{name: "function", give: "func A() {}", values: true},
		{name: "variable", give: "var A int", values: true},
		{name: "constant", give: "const A = 1", values: true},
		{name: "second variable", give: "var b, A int", values: true},
		{name: "in a group", give: "x (A int)", types: true, values: true},
		{name: "on a line", give: "x\nA int", types: true, values: true},
		{name: "after a semicolon", give: "x; \tA int", types: true, values: true},
		{name: "after a comment", give: "x /* y */ A int", types: true, values: true},
		{name: "first used, then declared", give: "var x A\nvar y A; type A int", types: true, values: false},
		{name: "used as a type", give: "var x A"},
		{name: "used as an element", give: "var x []A"},
		{name: "used as a field of a value", give: "x = y.A"},
		{name: "method", give: "func (t T) A() {}"},
		{name: "beginning of a name", give: "type A0 int\ntype A9 int\ntype Aa int\ntype Az int\ntype AA int\ntype AZ int\ntype A_ int\ntype Aä int"},
		{name: "end of a name", give: "type a0A int\n9A\naA\nzA\nAA\nZA\n_A\näA"},
		{name: "letter before which a name ends", give: "type A[T any] int\nx\nA:{", types: true, values: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for values, want := range map[bool]bool{false: c.types, true: c.values} {
				var diags diag.List
				p, err := load.FromSource(map[string]string{"p/x.go": "package p\n] " + c.give + "\n"}, &diags).Import("p")
				if err != nil {
					t.Fatal(err)
				}
				if values && p.Declares("A") || !values && p.Lookup("A") != nil {
					t.Error("found in an unparsable file")
				}
				if got := diags.Err("") != nil; got != want {
					t.Errorf("values is %v: parsed is %v, want %v", values, got, want)
				}
			}
		})
	}
	var diags diag.List
	p, err := load.FromSource(map[string]string{"p/x.go": "A"}, &diags).Import("p")
	if err != nil {
		t.Fatal(err)
	}
	if p.Lookup("A") != nil || diags.Err("") == nil {
		t.Error("a file that is but a name is parsed")
	}
}

func TestFiles(t *testing.T) {
	p := fromSource(t, sources(`-- p/b.go --
package p // two
-- p/a.go --
package p // one
-- p/c.go --
package p // one, two
-- p/d.go --
package p
`))
	read := func(stopAt string, words ...string) string {
		var names []string
		p.Files(func(f *load.File) bool {
			names = append(names, strings.TrimSuffix(f.Base(), ".go"))
			return f.Base() != stopAt
		}, words...)
		return strings.Join(names, " ")
	}
	for _, c := range []struct {
		name   string
		stopAt string
		words  []string
		want   string
	}{
		{name: "all", want: "a b c d"},
		{name: "with a word", words: []string{"two"}, want: "b c"},
		{name: "with one of two words", words: []string{"one", "two"}, want: "a b c"},
		{name: "with a word that is not there", words: []string{"three"}, want: ""},
		{name: "until told to stop", stopAt: "b.go", want: "a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := read(c.stopAt, c.words...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestFilesNotGo checks that a file with syntax errors is reported once, at its first error, and
// the others are read.
func TestFilesNotGo(t *testing.T) {
	var diags diag.List
	p, err := load.FromSource(sources(`-- p/a.go --
package p

type A struct {,}
type B
-- p/b.go --
package p

type C int
-- p/c.go --
-- p/d.go --
// only a comment
-- p/e.go --
//line other.y:70
package p

var )
//line a.y:1
type )
`), &diags).Import("p")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if p.Lookup("A") != nil || p.Lookup("C") == nil {
			t.Error("C, and only C, is declared in a file that can be read")
		}
		p.Files(func(*load.File) bool { return true })
	}
	want := `p/a.go:3:16: expected '}', found ','
p/c.go:1:1: expected 'package', found 'EOF'
p/d.go:1:19: expected 'package', found 'EOF'
p/e.go:4:5: expected 'IDENT', found ')'`
	if err := diags.Err(""); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestPackageMain(t *testing.T) {
	for _, c := range []struct{ name, give, want string }{
		{"the first", "-- p/b.go --\npackage p\n-- p/a.go --\npackage p\n", "p/a.go"},
		{"doc.go", "-- p/a.go --\npackage p\n-- p/doc.go --\npackage p\n-- p/z.go --\npackage p\n", "p/doc.go"},
		{"not one that ends alike", "-- p/a.go --\npackage p\n-- p/mydoc.go --\npackage p\n", "p/a.go"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fromSource(t, sources(c.give)).Pos().Filename; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestDeclaredAt(t *testing.T) {
	p := fromSource(t, map[string]string{
		"p/types.go":        "package p\n\ntype A int\n\nvar (\n\tB, C = 1, 2\n)\n\nfunc D() {}\n\nfunc (A) E() {}\n",
		"p/zz_generated.go": "//go:build !ignore_autogenerated\n\npackage p\n\nconst F = 1\n\nvar G int\n",
	})
	for _, c := range []struct{ name, except, want string }{
		{"A", "", "types.go:3:6"},
		{"B", "", "types.go:6:2"},
		{"C", "", "types.go:6:5"},
		{"D", "", "types.go:9:6"},
		{"E", "", ""},
		{"F", "", "zz_generated.go:5:7"},
		{"F", "zz_generated.go", ""},
		{"A", "zz_generated.go", "types.go:3:6"},
		{"A", "types.go", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name+" outside of "+c.except, func(t *testing.T) {
			at := p.DeclaredAt(c.name, c.except)
			got := ""
			if at.IsValid() {
				got = fmt.Sprintf("%s:%d:%d", filepath.Base(at.Filename), at.Line, at.Column)
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if !p.Has("types.go") || !p.Has("zz_generated.go") || p.Has("doc.go") {
		t.Error("Has is wrong about types.go, zz_generated.go or doc.go")
	}
}
