package load_test

import (
	"context"
	"errors"
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// other is a package that the sources of fieldCases import.
const other = `-- other/v1/other.go --
package v1

import "deep"

type Parts struct {
	F string ` + "`json:\"f\"`" + `
	G *Deep
}

type Outer struct { deep.Deep }
type Alias = Parts
type Defined Parts
type Box[T any] struct { F T }
type Number int
-- deep/deep.go --
package deep

type Deep struct { F bool }
-- example.com/gopkg/v2/x.go --
package gopkg

type Versioned struct { F rune }
`

// field is the expected result: the zero field means none.
type field struct {
	Type     string
	File     string
	Tag      string
	Embedded bool
}

// fieldCases look for field F of type T.
var fieldCases = []struct {
	name     string
	give     string
	promoted bool
	want     field
	unread   bool // a struct that might contain F cannot be read
}{
	{name: "direct", give: "type T struct { F int }", want: field{Type: "int"}},
	{name: "one of several names", give: "type T struct { A, F, B int }", want: field{Type: "int"}},
	{name: "tag", give: "type T struct { F int `json:\"f\"` }", want: field{Type: "int", Tag: `json:"f"`}},
	{name: "tag in double quotes", give: `type T struct { F int "json:\"f\"" }`, want: field{Type: "int", Tag: `json:"f"`}},
	{name: "in parentheses", give: "type T (struct { F int })", want: field{Type: "int"}},
	{name: "none", give: "type T struct { G int }"},
	{name: "no fields", give: "type T struct {}"},
	{name: "in another case", give: "type T struct { f int }"},
	{name: "of a nested struct", give: "type T struct { G struct { F int } }"},

	{name: "embedded", give: "type F struct{}; type T struct { F }", want: field{Type: "F", Embedded: true}},
	{name: "embedded pointer", give: "type F struct{}; type T struct { *F }", want: field{Type: "*F", Embedded: true}},
	{name: "embedded from a package", give: "import . \"unknown\"; import \"x\"; type T struct { x.F `json:\",inline\"` }", want: field{Type: "x.F", Embedded: true, Tag: `json:",inline"`}},
	{name: "embedded instance", give: "type F[A any] struct{}; type T struct { F[int] }", want: field{Type: "F[int]", Embedded: true}},
	{name: "embedded instance of two types", give: "type F[A, B any] struct{}; type T struct { *F[int, string] }", want: field{Type: "*F[int, string]", Embedded: true}},

	{name: "alias", give: "type T = S; type S struct { F int }", want: field{Type: "int"}},
	{name: "alias of an alias", give: "type T = A; type A = B; type B = S; type S struct { F int }", want: field{Type: "int"}},
	{name: "alias in parentheses", give: "type T = (S); type S struct { F int }", want: field{Type: "int"}},
	{name: "defined type", give: "type T S; type S struct { F int }", want: field{Type: "int"}},
	{name: "defined type of an alias", give: "type T A; type A = S; type S struct { F int }", want: field{Type: "int"}},
	{name: "instance", give: "type T = S[int]; type S[A any] struct { F A }", want: field{Type: "A"}},
	{name: "type defined by an instance", give: "type T S[int, string]; type S[A, B any] struct { F B }", want: field{Type: "B"}},
	{name: "alias from a package", give: `import v1 "other/v1"; type T = v1.Parts`, want: field{Type: "string", File: "other/v1/other.go", Tag: `json:"f"`}},
	{name: "alias of an alias in a package", give: `import v1 "other/v1"; type T = v1.Alias`, want: field{Type: "string", File: "other/v1/other.go", Tag: `json:"f"`}},
	{name: "type defined in a package", give: `import v1 "other/v1"; type T v1.Defined`, want: field{Type: "string", File: "other/v1/other.go", Tag: `json:"f"`}},
	{name: "instance from a package", give: `import v1 "other/v1"; type T v1.Box[int]`, want: field{Type: "T", File: "other/v1/other.go"}},
	{name: "alias from a package imported with a dot", give: `import . "other/v1"; type T = Parts`, want: field{Type: "string", File: "other/v1/other.go", Tag: `json:"f"`}},
	{name: "alias in another file", give: "type T = S\n-- p/another.go --\npackage p; type S struct { F int }", want: field{Type: "int", File: "p/another.go"}},
	{name: "package with another name than its path", give: `import "example.com/gopkg/v2"; type T = gopkg.Versioned`, want: field{Type: "rune", File: "example.com/gopkg/v2/x.go"}},
	{name: "own declaration before one imported with a dot", give: `import . "other/v1"; type T = Parts; type Parts struct { F int }`, want: field{Type: "int"}},

	{name: "of an embedded struct, not requested", give: "type T struct { S }; type S struct { F int }"},
	{name: "of an embedded struct", give: "type T struct { S }; type S struct { F int }", promoted: true, want: field{Type: "int"}},
	{name: "of an embedded pointer", give: "type T struct { *S }; type S struct { F int }", promoted: true, want: field{Type: "int"}},
	{name: "of an embedded instance", give: "type T struct { S[int] }; type S[A any] struct { F A }", promoted: true, want: field{Type: "A"}},
	{name: "of an embedded alias", give: "type T struct { A }; type A = S; type S struct { F int }", promoted: true, want: field{Type: "int"}},
	{name: "of a named field", give: "type T struct { S S }; type S struct { F int }", promoted: true},
	{name: "of an embedded type that is not a struct", give: "type T struct { S }; type S []int", promoted: true},
	{name: "of an embedded predeclared type", give: "type T struct { error }", promoted: true},
	{name: "the shallowest", give: "type T struct { A; B }; type A struct { C }; type C struct { F string }; type B struct { F int }", promoted: true, want: field{Type: "int"}},
	{name: "the own", give: "type T struct { A; F bool }; type A struct { F string }", promoted: true, want: field{Type: "bool"}},
	{name: "deep in packages", give: `import "other/v1"; type T struct { v1.Outer }`, promoted: true, want: field{Type: "bool", File: "deep/deep.go"}},
	{name: "embedded in an alias's target", give: "type T = S; type S struct { A }; type A struct { F int }", promoted: true, want: field{Type: "int"}},

	{name: "no struct", give: "type T map[string]int"},
	{name: "interface", give: "type T interface { F() }"},
	{name: "predeclared type", give: "type T string"},
	{name: "function", give: "type T func() struct { F int }"},
	{name: "slice of structs", give: "type T []struct { F int }"},
	{name: "predeclared type with another meaning", give: "type T string; type string struct { F int }", want: field{Type: "int"}},

	{name: "alias of itself", give: "type T = T", promoted: true},
	{name: "type defined by itself", give: "type T T", promoted: true},
	{name: "circle of two", give: "type T B; type B T", promoted: true},
	{name: "circle of three aliases", give: "type T = A; type A = B; type B = T", promoted: true},
	{name: "embeds itself", give: "type T struct { T }", promoted: true},
	{name: "embeds itself by pointer", give: "type T struct { *T; G int }", promoted: true},
	{name: "embeds one that embeds it", give: "type T struct { *A }; type A struct { *B }; type B struct { *T; F int }", promoted: true, want: field{Type: "int"}},
	{name: "embeds an instance of itself", give: "type T[A any] struct { *T[T[A]] }", promoted: true},

	{name: "alias from a package that is not there", give: `import "missing"; type T = missing.S`, unread: true},
	{name: "alias of a type that is not there", give: `import "other/v1"; type T = v1.Missing`, unread: true},
	{name: "package that is not imported", give: "type T = x.S", unread: true},
	{name: "embeds a missing type", give: `import "missing"; type T struct { missing.S }`, promoted: true, unread: true},
	{name: "embeds a missing type, not requested", give: `import "missing"; type T struct { missing.S }`},
	{name: "found despite a missing type", give: `import "missing"; type T struct { missing.S; A }; type A struct { F int }`, promoted: true, want: field{Type: "int"}},
	{name: "undeclared", give: "type T = S"},
	{name: "undeclared, but perhaps imported with a dot", give: `import . "missing"; type T = S`, unread: true},
	{name: "metadata is not entered", give: `import metav1 "missing"; type T struct { metav1.TypeMeta; metav1.ObjectMeta; metav1.ListMeta }`, promoted: true},
}

func TestField(t *testing.T) {
	for _, c := range fieldCases {
		t.Run(c.name, func(t *testing.T) {
			source := "package p; " + c.give + "\n" + other
			p := fromSource(t, sources(source))
			got, err := typeT(t, p).Field("F", c.promoted)
			if c.unread != (err != nil) {
				t.Errorf("error: %v", err)
			}
			if got == nil {
				got = &load.Field{Name: "F"}
			} else if c.want.File == "" {
				c.want.File = "p/types.go"
			}
			if got.Name != "F" {
				t.Errorf("found %s", got.Name)
			}
			found := field{Tag: got.Tag, Embedded: got.Embedded}
			if got.Type != nil {
				found.Type, found.File = types.ExprString(got.Type), got.File.Name
			}
			if d := cmp.Diff(c.want, found); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestResolveNotFound checks that callers can distinguish missing packages from failures.
func TestResolveNotFound(t *testing.T) {
	p := fromSource(t, sources("package p; import \"other/v1\"; type T = v1.Missing\n"+other))
	_, err := typeT(t, p).Field("F", true)
	if !errors.Is(err, load.ErrNotFound) || !strings.Contains(err.Error(), "v1.Missing") {
		t.Errorf("got %v", err)
	}
	p = fromSource(t, sources("package p; import \"missing\"; type T = missing.S\n"))
	if _, err := typeT(t, p).Field("F", true); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, not the error of finding the package", err)
	}
}

func TestImportPaths(t *testing.T) {
	const file = `package p

import (
	"fmt"
	. "dotted/name"
	_ "blank/name"
	other "renamed/name"
	"example.com/go-name/v2"
	"k8s.io/api/name"
	"name"
)

type T int
`
	for _, c := range []struct {
		name string
		want []string
	}{
		{"name", []string{"k8s.io/api/name", "name", "example.com/go-name/v2", "fmt"}},
		{"other", []string{"renamed/name"}},
		{"v2", []string{"example.com/go-name/v2", "fmt", "k8s.io/api/name", "name"}},
		{"missing", []string{"fmt", "example.com/go-name/v2", "k8s.io/api/name", "name"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := typeT(t, fromSource(t, sources(file))).File
			if d := cmp.Diff(c.want, f.ImportPaths(c.name)); d != "" {
				t.Error(d)
			}
		})
	}
	f := typeT(t, fromSource(t, sources(file))).File
	if d := cmp.Diff([]string{"dotted/name"}, f.DotImports()); d != "" {
		t.Error(d)
	}
}

// TestBrokenImport checks that a syntax error in a file of an imported package is reported at its
// own position.
func TestBrokenImport(t *testing.T) {
	var diags diag.List
	p, err := load.FromSource(sources(`package p; import "other"; type T = other.S
-- other/other.go --
package other

type S struct {
`), &diags).Import("p")
	if err != nil {
		t.Fatal(err)
	}
	if f, err := typeT(t, p).Field("F", true); f != nil || !errors.Is(err, load.ErrNotFound) {
		t.Errorf("got %v, %v", f, err)
	}
	if err := diags.Err(""); err == nil || !strings.HasPrefix(err.Error(), "other/other.go:3:") {
		t.Errorf("got %v", err)
	}
}
