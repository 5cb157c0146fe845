package goldentest

import (
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/internal/observe"
)

func TestBranches(t *testing.T) {
	for _, c := range []struct {
		name, text string
		data       []any // one execution each
		want       []string
	}{
		{name: "plain", text: "{{.}} is", data: []any{1}},
		{name: "if, both ways", text: "{{if .}}a{{end}}", data: []any{true, false}},
		{name: "if, one way", text: "{{if .}}a{{end}}", data: []any{true}, want: []string{`template "x", x:1:5, not so: {{if .}}`}},
		{name: "if, the other way", text: "{{if .}}a{{else}}b{{end}}", data: []any{false}, want: []string{`template "x", x:1:5: {{if .}}`}},
		{name: "else", text: "{{if .}}a{{else}}b{{end}}", data: []any{true}, want: []string{`template "x", x:1:5, else: {{if .}}`}},
		{
			name: "else if", text: "{{if eq . 1}}a{{else if eq . 2}}b{{end}}", data: []any{1, 3},
			want: []string{`template "x", x:1:24: {{if eq . 2}}`},
		},
		{name: "nested", text: "{{if .}}{{if not .}}a{{end}}{{end}}", data: []any{true, false}, want: []string{`template "x", x:1:13: {{if not .}}`}},
		{name: "with", text: "{{with .}}{{.}}{{end}}", data: []any{""}, want: []string{`template "x", x:1:7: {{with .}}`}},
		{name: "range over nothing", text: "{{range .}}a{{end}}", data: []any{[]int{}}, want: []string{`template "x", x:1:8: {{range .}}`}},
		{name: "range that is never over nothing", text: "{{range .}}a{{end}}", data: []any{[]int{1}}},
		{
			name: "template that is never called", text: `{{define "y"}}a{{end}}{{define "z"}} {{end}}b`, data: []any{0},
			want: []string{`template "y", x:1:14`},
		},
		{name: "template that is called", text: `{{define "y"}}a{{end}}{{template "y"}}`, data: []any{0}},
		{name: "quotes", text: "{{if eq . \"`\"}}a{{end}}", data: []any{""}, want: []string{"template \"x\", x:1:5: {{if eq . \"`\"}}"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b branches
			templates := template.Must(template.New("x").Parse(c.text))
			before := templates.Lookup("x").Root.String()
			for _, data := range c.data {
				output := observe.Output{Templates: templates, Prints: []observe.Print{{Template: "x", Data: data}}}
				if err := b.execute([]observe.Output{output}); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(c.want, b.missed()); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if after := templates.Lookup("x").Root.String(); after != before {
				t.Errorf("the templates are now %s", after)
			}
		})
	}
}
