package emit

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

// TestNames checks packages whose files have names in common.
func TestNames(t *testing.T) {
	type source struct{ pkg, text string }
	for _, c := range []struct {
		name  string
		files []source // a.go, b.go ...
		want  []string // "line: message" of each, or its beginning; the line is the file's number
	}{
		{name: "nothing in common", files: []source{
			{"a", `type T struct{ x int }; func (t *T) Y() {}; func New() {}`},
			{"a", `type U struct{ x int }; func (u *U) Y() {}`},
			{"b", `type T int; func New() {}`},
		}},
		{
			name:  "declared twice",
			files: []source{{"a", "var A int"}, {"a", "func A() {}"}},
			want:  []string{"2: a.go and b.go would both declare A; "},
		},
		{
			name:  "method twice",
			files: []source{{"a", "type T struct{}; func (T) A() {}"}, {"a", "func (*T) A() {}"}},
			want:  []string{"2: T would have two members called A in b.go; "},
		},
		{
			name:  "field and method",
			files: []source{{"a", "type T struct{ A int }; func (*T) A() {}"}},
			want:  []string{"1: T would have two members called A in a.go; "},
		},
		{
			name:  "embedded field and method",
			files: []source{{"a", `import "x.org/x"; type T struct{ *x.Client[int] }; func (*T) Client() {}`}},
			want:  []string{"1: T would have two members called Client in a.go; "},
		},
		{
			name:  "method of an interface twice",
			files: []source{{"a", "type T interface{ A(); A() }"}},
			want:  []string{"1: T would have two members called A in a.go; "},
		},
		{
			name:  "embedded interface with another method of that name",
			files: []source{{"a", "type T interface{ A(); G }"}, {"a", "type G interface{ A(n int) }"}},
			want:  []string{"2: T would have two methods called A; "},
		},
		{
			name:  "embedded interface with the same method",
			files: []source{{"a", "type T interface{ A(n int); G }"}, {"a", "type G interface{ A(n int) }"}},
		},
		{
			name:  "embedded interface of another package",
			files: []source{{"a", `import b "x.org/b"; type T interface{ A(); b.G }`}, {"b", "type G interface{ A(n int) }"}},
			want:  []string{"2: T would have two methods called A; "},
		},
		{
			name:  "interface of the runtime with a method of that name",
			files: []source{{"a", `import "github.com/listwatch/listwatch/runtime/listers"; type T interface{ listers.Lister[int]; List(n int) }`}},
			want:  []string{"1: T would have two methods called List; "},
		},
		{
			name:  "import and declaration",
			files: []source{{"a", `import version "x.org/v"; var _ = version.A`}, {"a", "type version int"}},
			want:  []string{"1: a.go would import x.org/v as version, which b.go declares; "},
		},
		{
			name:  "import and parameter",
			files: []source{{"a", `import "x.org/client"; func F(client int) { client.F() }`}},
			want:  []string{"1: a.go would use the name client for a variable and for x.org/client; "},
		},
		{
			name:  "import and variable",
			files: []source{{"a", `import "x.org/c"; func F() { c := 1 }; func G() { var c int }; func H() { for c := range 2 {} }; func I() { func() (c int) {} }`}},
			want:  []string{"1: a.go would use the name c for a variable and for x.org/c; "},
		},
		{
			name:  "imports in a circle",
			files: []source{{"a", `import _ "x.org/b"`}, {"b", `import _ "x.org/c"`}, {"c", `import _ "x.org/a"`}},
			want: []string{
				"1: packages would import each other: x.org/a imports x.org/b imports x.org/c imports x.org/a; ",
				"2: packages would import each other: x.org/b imports x.org/c imports x.org/a imports x.org/b; ",
				"3: packages would import each other: x.org/c imports x.org/a imports x.org/b imports x.org/c; ",
			},
		},
		{name: "imports that fork and join", files: []source{
			{"a", `import ("x.org/b"; "x.org/c")`}, {"b", `import _ "x.org/d"`}, {"c", `import _ "x.org/d"`}, {"d", ""},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var diags diag.List
			checked := names{diags: &diags}
			for i, f := range c.files {
				syntax, err := parser.ParseFile(token.NewFileSet(), "", "package p; "+f.text, parser.SkipObjectResolution)
				if err != nil {
					t.Fatal(err)
				}
				checked.add(newUnit(File{
					Path: string(rune('a'+i)) + ".go", PackagePath: "x.org/" + f.pkg,
					Pos: token.Position{Line: i + 1},
				}, nil, syntax))
			}
			checked.check()
			var got []string
			if err := diags.Err(""); err != nil {
				for _, d := range err.(diag.Errors) { //nolint:errorlint // the documented type of the error
					message, _, _ := strings.Cut(d.Message, "; ")
					got = append(got, string(rune('0'+d.Pos.Line))+": "+message+"; ")
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
