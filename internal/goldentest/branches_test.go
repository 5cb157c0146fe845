package goldentest

import (
	"maps"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators"
)

func TestBranches(t *testing.T) {
	for _, c := range []struct {
		name, text string
		data       []any // one execution each
		want       []string
	}{
		{name: "plain", text: "{{.}} is", data: []any{1}},
		{name: "if, both ways", text: "{{if .}}a{{end}}", data: []any{true, false}},
		{name: "if, one way", text: "{{if .}}a{{end}}", data: []any{true}, want: []string{`template "x.go.tmpl", x.go.tmpl:1:5, not so: {{if .}}`}},
		{name: "if, the other way", text: "{{if .}}a{{else}}b{{end}}", data: []any{false}, want: []string{`template "x.go.tmpl", x.go.tmpl:1:5: {{if .}}`}},
		{name: "else", text: "{{if .}}a{{else}}b{{end}}", data: []any{true}, want: []string{`template "x.go.tmpl", x.go.tmpl:1:5, else: {{if .}}`}},
		{
			name: "else if", text: "{{if eq . 1}}a{{else if eq . 2}}b{{end}}", data: []any{1, 3},
			want: []string{`template "x.go.tmpl", x.go.tmpl:1:24: {{if eq . 2}}`},
		},
		{name: "nested", text: "{{if .}}{{if not .}}a{{end}}{{end}}", data: []any{true, false}, want: []string{`template "x.go.tmpl", x.go.tmpl:1:13: {{if not .}}`}},
		{name: "with", text: "{{with .}}{{.}}{{end}}", data: []any{""}, want: []string{`template "x.go.tmpl", x.go.tmpl:1:7: {{with .}}`}},
		{name: "range over nothing", text: "{{range .}}a{{end}}", data: []any{[]int{}}, want: []string{`template "x.go.tmpl", x.go.tmpl:1:8: {{range .}}`}},
		{name: "range that is never over nothing", text: "{{range .}}a{{end}}", data: []any{[]int{1}}},
		{
			name: "template that is never called", text: `{{define "y"}}a{{end}}{{define "z"}} {{end}}b`, data: []any{0},
			want: []string{`template "y", x.go.tmpl:1:14`},
		},
		{name: "template that is called", text: `{{define "y"}}a{{end}}{{template "y"}}`, data: []any{0}},
		{name: "quotes", text: "{{if eq . \"`\"}}a{{end}}", data: []any{""}, want: []string{"template \"x.go.tmpl\", x.go.tmpl:1:5: {{if eq . \"`\"}}"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			templates := fstest.MapFS{"x.go.tmpl": {Data: []byte(c.text)}}
			tree := generators.Tree{Templates: templates}
			for i, data := range c.data {
				tree.Files = append(tree.Files, generators.File{Path: strconv.Itoa(i), Template: "x.go.tmpl", Data: data})
			}
			got, err := cover([]generators.Tree{tree}, generators.Listwatch, func(_ generators.Tree, f generators.File) string { return f.Path })
			if err != nil {
				t.Fatal(err)
			}
			executed := places{}
			for _, file := range got.files {
				maps.Copy(executed, file)
			}
			if d := cmp.Diff(c.want, got.all.without(executed)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}
