package diag_test

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

func TestApply(t *testing.T) {
	const source = "package p\n\n// +a=b\ntype T int // +c\n\t// +d\n"
	for _, c := range []struct {
		name  string
		edits []diag.Edit
		want  string // the changed part
		fault string
	}{
		{name: "none"},
		{name: "replace", edits: []diag.Edit{{Line: 3, Column: 6, Old: "=b", New: "=cd"}}, want: "// +a=cd\n"},
		{name: "remove", edits: []diag.Edit{{Line: 3, Column: 6, Old: "=b"}}, want: "// +a\n"},
		{name: "insert", edits: []diag.Edit{{Line: 3, Column: 5, New: "x:"}}, want: "// +x:a=b\n"},
		{name: "a line above", edits: []diag.Edit{{Line: 5, Column: 5, New: "+e\n"}}, want: "\t// +e\n\t// +d\n"},
		{name: "a line above code", edits: []diag.Edit{{Line: 4, Column: 15, New: "+e\n"}}, fault: "line 4 has code before column 15"},
		{name: "cut", edits: []diag.Edit{{Line: 3, Column: 4, Old: "+a=b", Cut: true}}, want: "package p\n\ntype T int"},
		{name: "cut behind code", edits: []diag.Edit{{Line: 4, Column: 15, Old: "+c", Cut: true}}, fault: "line 4 has code before column 15"},
		{name: "two on a line", edits: []diag.Edit{{Line: 3, Column: 7, Old: "b", New: "2"}, {Line: 3, Column: 5, Old: "a", New: "1"}}, want: "// +1=2\n"},
		{name: "equal", edits: []diag.Edit{{Line: 3, Column: 5, Old: "a", New: "1"}, {Line: 3, Column: 5, Old: "a", New: "1"}}, want: "// +1=b\n"},
		{name: "overlap", edits: []diag.Edit{{Line: 3, Column: 5, Old: "a=", New: "1"}, {Line: 3, Column: 5, Old: "a", New: "2"}}, fault: "edits of line 3 overlap"},
		{name: "another text", edits: []diag.Edit{{Line: 3, Column: 5, Old: "b"}}, fault: `line 3 does not contain "b" at column 5`},
		{name: "no such line", edits: []diag.Edit{{Line: 7, Column: 1}}, fault: "line 7 does not contain"},
		{name: "no such column", edits: []diag.Edit{{Line: 1, Column: 12}}, fault: "line 1 does not contain"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := diag.Apply([]byte(source), c.edits)
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) {
					t.Errorf("got %q, %v, want %s", got, err, c.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(got), c.want) || (c.edits == nil) != (string(got) == source) {
				t.Errorf("got %q", got)
			}
		})
	}
}
