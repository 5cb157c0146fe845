package document_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/apitest/internal/document"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		faults     []document.Fault
	}{
		{name: "empty"},
		{name: "comments", text: "# a\n---\n# b\n---\n"},
		{name: "YAML", text: "---\na: 1\n--- # next\nb: on\n", want: []string{`{"a":1}`, `{"b":true}`}},
		{name: "lines that end with carriage returns", text: "a: 1\r\n---\r\nb: 2\r\n", want: []string{`{"a":1}`, `{"b":2}`}},
		{name: "JSON", text: "{\"a\": 1}\n{\"a\": 1,\n \"a\": 2}", want: []string{`{"a": 1}`, "{\"a\": 1,\n \"a\": 2}"}},
		{name: "maps of YAML in braces", text: "{a: 1}", want: []string{`{"a":1}`}},
		{name: "invalid", text: "a: 1\n---\nb: 1\nc: d: e\n---\nf: 1\n", want: []string{`{"a":1}`, `{"f":1}`}, faults: []document.Fault{{4, "invalid YAML: mapping values are not allowed in this context"}}},
		{name: "invalid JSON", text: "{\n\"a\": 1,,\n}", faults: []document.Fault{{2, "invalid JSON: invalid character ',' looking for beginning of object key string"}}},
		{name: "a key twice", text: "---\na: 1\nb: 2\na: 3\n", want: []string{`{"a":3,"b":2}`}, faults: []document.Fault{{4, `invalid YAML: key "a" already set in map`}}},
		{
			name: "separator", text: "a: 1\n---b\nc: 1\n", want: []string{`{"a":1}`, `{"c":1}`},
			faults: []document.Fault{{2, "invalid document separator: nothing except a comment may follow ---"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			documents, faults := document.Read([]byte(c.text))
			var got []string
			for _, d := range documents {
				got = append(got, string(d.JSON))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.faults, faults); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestLine(t *testing.T) {
	const text = `# comment
---
spec:
  names: {kind: A, plural: as}
  versions:
  - name: v1
    schema: &schema
      properties:
        a.b:
          default: 1
        a:
          b: 2
  - name: v2
    schema: *schema
---
kind: List
items:
- a: 1
-
  b: 1
`
	documents, faults := document.Read([]byte(text))
	if len(documents) != 2 || len(faults) > 0 {
		t.Fatalf("read two documents: got %d, with the faults %v", len(documents), faults)
	}
	items, _, err := documents[1].Items()
	if err != nil || len(items) != 2 {
		t.Fatal(items, err)
	}
	for _, c := range []struct {
		document *document.Document
		path     string
		want     int
		missing  bool
	}{
		{documents[0], "", 3, false},
		{documents[0], "spec", 3, false},
		{documents[0], ".spec.names", 4, false},
		{documents[0], "spec.names.plural", 4, false},
		{documents[0], "spec.versions[0]", 6, false},
		{documents[0], "spec.versions[0].schema.properties[a.b].default", 10, false},
		{documents[0], "spec.versions[0].schema.properties[a].b", 12, false},
		{documents[0], "spec.versions[0].schema.properties.a.b", 9, false},
		{documents[0], "spec.versions[1].schema.properties[a]", 11, false},
		{documents[0], "spec.versions[2].name", 5, true},
		{documents[0], "spec.versions[x].name", 5, true},
		{documents[0], "spec.scope", 3, true},
		{documents[0], "status", 3, true},
		{documents[1], "items[0].a", 18, false},
		{items[0], "a", 18, false},
		{items[1], "", 20, false},
		{items[1], "c", 20, true},
	} {
		if got := c.document.Line(c.path); got != c.want {
			t.Errorf("%q: got line %d, want %d", c.path, got, c.want)
		}
		if got := c.document.Has(c.path); got == c.missing {
			t.Errorf("%q: got %v", c.path, got)
		}
	}
}
