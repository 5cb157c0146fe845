package load_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// commentCases contain a source and the lines of the comments that belong to its type T. The source
// follows the package clause, so it begins on line 2.
var commentCases = []struct {
	name string
	give string
	want []string
}{
	{name: "none", give: "type T int"},
	{
		name: "doc comment",
		give: "// T is a kind.\n//\n// +a=b\ntype T struct{}",
		want: []string{"2:4 T is a kind.", "3:3 ", "4:4 +a=b"},
	},
	{
		name: "no space, several spaces, a tab",
		give: "//+a\n//   +b\n//\t+c\ntype T int",
		want: []string{"2:3 +a", "3:6 +b", "4:3 \t+c"},
	},
	{
		name: "spaces at the end",
		give: "// +a \t\ntype T int",
		want: []string{"2:4 +a"},
	},
	{
		name: "one blank line above the type",
		give: "// +a\n\ntype T int",
		want: []string{"2:4 +a"},
	},
	{name: "two blank lines above the type", give: "// +a\n\n\ntype T int"},
	{
		name: "one blank line above the doc comment",
		give: "// +a\n\n// T is a kind.\ntype T int",
		want: []string{"2:4 +a", "4:4 T is a kind."},
	},
	{
		name: "two blank lines above the doc comment",
		give: "// +a\n\n\n// T is a kind.\ntype T int",
		want: []string{"5:4 T is a kind."},
	},
	{
		name: "three comments",
		give: "// +a\n\n// +b\n\n// T is a kind.\ntype T int",
		want: []string{"4:4 +b", "6:4 T is a kind."},
	},
	{
		name: "two comments, and a blank line above the type",
		give: "// +a\n\n// +b\n\ntype T int",
		want: []string{"4:4 +b"},
	},
	{
		name: "block on one line",
		give: "/* +a */\ntype T int",
		want: []string{"2:4 +a"},
	},
	{
		name: "block without spaces",
		give: "/*+a*/\ntype T int",
		want: []string{"2:3 +a"},
	},
	{
		name: "block on several lines",
		give: "/* T is a kind.\n+a\n\t +b\n*/\ntype T int",
		want: []string{"2:4 T is a kind.", "3:1 +a", "4:1 \t +b", "5:1 "},
	},
	{
		name: "block of many lines",
		give: "/*\n+a\n+b\n+c\n+d\n+e\n+f\n*/\ntype T int",
		want: []string{"2:3 ", "3:1 +a", "4:1 +b", "5:1 +c", "6:1 +d", "7:1 +e", "8:1 +f", "9:1 "},
	},
	{
		name: "block after code",
		give: "var x int /*\n +a */\ntype T int",
		want: []string{"2:13 ", "3:2 +a"},
	},
	{
		name: "block on the line of the type",
		give: "/* +a */ type T int // +b",
	},
	{
		name: "block and line comments together",
		give: "/* +a */ // +b\n// +c\ntype T int",
		want: []string{"2:4 +a", "2:13 +b", "3:4 +c"},
	},
	{
		name: "signs within a block",
		give: "/*\n * +a\n // +b\n*/\ntype T int",
		want: []string{"2:3 ", "3:2 * +a", "4:2 // +b", "5:1 "},
	},
	{
		name: "letters of several bytes before it",
		give: "var ä int /* é +a */\ntype T int",
		want: []string{"2:15 é +a"},
	},
	{
		name: "grouped",
		give: "type (\n\t// +a\n\n\t// T is a kind.\n\tT struct{}\n)",
		want: []string{"3:5 +a", "5:5 T is a kind."},
	},
	{name: "above the group only", give: "// +a\ntype (\n\n\tT int\n)"},
	{
		name: "above the group, where T comes right below",
		give: "// +a\ntype (\n\tT int\n)",
		want: []string{"2:4 +a"},
	},
	{
		name: "second of a group",
		give: "type (\n\t// +a\n\tA int\n\n\t// +b\n\tT int\n)",
		want: []string{"6:5 +b"},
	},
	{
		name: "below other declarations",
		give: "// +a\nfunc f() {}\n\n// +b\nvar x int\n\n// +c\ntype T int",
		want: []string{"8:4 +c"},
	},
	{
		// Code-generator also counts only lines.
		name: "at the end of the line above",
		give: "type A int // +a\ntype T int",
		want: []string{"2:15 +a"},
	},
	{
		name: "two lines above, with code between",
		give: "// +a\ntype A int\ntype T int",
		want: []string{"2:4 +a"},
	},
	{
		name: "alias",
		give: "// +a\ntype T = int",
		want: []string{"2:4 +a"},
	},
	{
		name: "generic",
		give: "// +a\ntype T[K comparable, V any] struct{}",
		want: []string{"2:4 +a"},
	},
	{
		name: "instance over several lines",
		give: "type G[K any] struct{}\n\n// +a\ntype T = G[\n// +b\nint]",
		want: []string{"4:4 +a"},
	},
	{
		name: "line directives",
		give: "//line other.go:70\n\n\n// +a\n//line :80:9\n// +b\ntype T int",
		want: []string{"5:4 +a", "6:3 line :80:9", "7:4 +b"},
	},
	{
		name: "line directive in a block",
		give: "// +a\n/*line other.go:70:3*/\n// +b\ntype T int",
		want: []string{"2:4 +a", "3:3 line other.go:70:3", "4:4 +b"},
	},
	{
		name: "local type of that name",
		give: "func f() {\n\t// +a\n\ttype T int\n}\n\n// +b\ntype T int",
		want: []string{"7:4 +b"},
	},
}

func TestTypeLines(t *testing.T) {
	for _, c := range commentCases {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n" + c.give + "\n"
			p := fromSource(t, map[string]string{"p/types.go": source})
			got := typeT(t, p).Lines()
			if d := cmp.Diff(c.want, placed(got)); d != "" {
				t.Error(d)
			}
			for _, l := range got {
				if l.Pos.Filename != "p/types.go" {
					t.Errorf("line of %s", l.Pos.Filename)
				}
			}
			stand(t, source, got)
		})
		t.Run(c.name+", in CRLF", func(t *testing.T) {
			source := strings.ReplaceAll("package p\n"+c.give+"\n", "\n", "\r\n")
			p := fromSource(t, map[string]string{"p/types.go": source})
			if d := cmp.Diff(c.want, placed(typeT(t, p).Lines())); d != "" {
				t.Error(d)
			}
		})
	}
}

// stand fails unless each line is in the source at its position.
func stand(t *testing.T, source string, lines []load.Line) {
	t.Helper()
	all := strings.Split(source, "\n")
	for _, l := range lines {
		if l.Pos.Line < 1 || l.Pos.Line > len(all) {
			t.Errorf("%v: no such line", l.Pos)
			continue
		}
		line := all[l.Pos.Line-1]
		if l.Pos.Column < 1 || l.Pos.Column > len(line)+1 {
			t.Errorf("%v: no such column", l.Pos)
			continue
		}
		// The scanner removes carriage returns from comments.
		if !strings.Contains(line, "\r") && !strings.HasPrefix(line[l.Pos.Column-1:], l.Text) {
			t.Errorf("%v: not %q, but %q", l.Pos, l.Text, line)
		}
	}
}

func TestComments(t *testing.T) {
	p := fromSource(t, sources(`// +a

/*
+b
*/
package p // +c

import "fmt" // +d

type T struct {
	// +e
	F int
}
`))
	var got []string
	p.Files(func(f *load.File) bool {
		got = append(got, placed(f.Comments())...)
		return true
	})
	want := []string{"1:4 +a", "3:3 ", "4:1 +b", "5:1 ", "6:14 +c", "8:17 +d", "11:5 +e"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
