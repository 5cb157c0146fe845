package openapi

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// documents are documents with a definition "a", and the lines of its schema, or the error.
var documents = map[string]struct{ document, want, err string }{
	"a struct of version 2": {
		document: `{"definitions":{"a":{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}}}}}`,
		want:     `{"name":"a","map":{"fields":[{"name":"n","type":{"scalar":"numeric"}},{"name":"s","type":{"scalar":"string"}}]}}`,
	},
	"a struct of version 3": {
		document: `{"components":{"schemas":{"a":{"type":"object","properties":{"b":{"type":"boolean","default":true}}}}}}`,
		want:     `{"name":"a","map":{"fields":[{"name":"b","type":{"scalar":"boolean"},"default":true}]}}`,
	},
	"a map of strings": {
		document: `{"definitions":{"a":{"type":"object","additionalProperties":{"type":"string"}}}}`,
		want:     `{"name":"a","map":{"elementType":{"scalar":"string"}}}`,
	},
	"lists": {
		document: `{"definitions":{"a":{"type":"object","properties":{
			"set":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
			"map":{"type":"array","items":{"$ref":"#/definitions/b"},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"]},
			"merged":{"type":"array","items":{"$ref":"#/definitions/b"},"x-kubernetes-patch-strategy":"merge","x-kubernetes-patch-merge-key":"k"},
			"plain":{"type":"array","items":{"type":"string"}}}},
			"b":{"type":"object","properties":{"k":{"type":"string"}}}}}`,
		want: `{"name":"a","map":{"fields":[` +
			`{"name":"map","type":{"list":{"elementType":{"namedType":"b"},"elementRelationship":"associative","keys":["k"]}}},` +
			`{"name":"merged","type":{"list":{"elementType":{"namedType":"b"},"elementRelationship":"associative","keys":["k"]}}},` +
			`{"name":"plain","type":{"list":{"elementType":{"scalar":"string"},"elementRelationship":"atomic"}}},` +
			`{"name":"set","type":{"list":{"elementType":{"scalar":"string"},"elementRelationship":"associative"}}}]}}
{"name":"b","map":{"fields":[{"name":"k","type":{"scalar":"string"}}]}}`,
	},
	"a type that contains itself": {
		document: `{"definitions":{"a":{"type":"object","properties":{"next":{"allOf":[{"$ref":"#/definitions/a"}]}}}}}`,
		want:     `{"name":"a","map":{"fields":[{"name":"next","type":{"namedType":"a"}}]}}`,
	},
	"definitions that only refer to each other": {
		document: `{"definitions":{"a":{"$ref":"#/definitions/b"},"b":{"$ref":"#/definitions/a"}}}`,
	},
	"no JSON":                      {document: "{\n}}", err: "doc.json:2: invalid character '}' after top-level value"},
	"a list of definitions":        {document: `{"definitions":[]}`, err: "doc.json: json: cannot unmarshal array"},
	"null as a definition":         {document: `{"definitions":{"a":null}}`, err: "definition a is missing"},
	"null as a property":           {document: `{"definitions":{"a":{"properties":{"b":null}}}}`, err: "definition a contains null in place of a schema"},
	"null in allOf":                {document: `{"definitions":{"a":{"allOf":[null]}}}`},
	"null as elements":             {document: `{"definitions":{"a":{"type":"array","items":null}}}`, err: "a: array without items"},
	"null below values of a map":   {document: `{"definitions":{"a":{"type":"object","additionalProperties":{"properties":{"b":null}}}}}`, err: "definition a contains null"},
	"a missing definition":         {document: `{"definitions":{"a":{"items":{"$ref":"#/definitions/b"}}}}`, err: "definition b is missing, but others refer to it"},
	"an unknown type":              {document: `{"definitions":{"a":{"type":"tuple"}}}`, err: `a: unknown type "tuple"`},
	"an unknown type of lists":     {document: `{"definitions":{"a":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"bag"}}}`, err: `a: unknown x-kubernetes-list-type "bag"`},
	"an unknown type of maps":      {document: `{"definitions":{"a":{"type":"object","x-kubernetes-map-type":"tree"}}}`, err: `a: unknown x-kubernetes-map-type "tree"`},
	"an unknown strategy":          {document: `{"definitions":{"a":{"type":"array","items":{"type":"string"},"x-kubernetes-patch-strategy":"guess"}}}`, err: `a: unknown x-kubernetes-patch-strategy "guess"`},
	"a list with keys but no keys": {document: `{"definitions":{"a":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"map"}}}`, err: "a: x-kubernetes-list-type=map without x-kubernetes-list-map-keys"},
}

func TestSchema(t *testing.T) {
	for name, test := range documents {
		t.Run(name, func(t *testing.T) {
			lines, err := schema([]byte(test.document))
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got the error %v, expected %s", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			// The last two lines are the same in every schema.
			if got := strings.Join(lines[:len(lines)-2], "\n"); test.want != "" && got != test.want {
				t.Errorf("got\n%s\nexpected\n%s", got, test.want)
			}
		})
	}
}

// schema returns the schema of the definition a.
func schema(text []byte) ([]string, error) {
	d := &Document{definitions: map[string]*definition{}}
	if err := d.parse("doc.json", text); err != nil {
		return nil, err
	}
	s, err := d.Schema([]string{"a"})
	if err != nil {
		return nil, err
	}
	return s.JSON()
}

// FuzzSchema reads any document without a panic.
func FuzzSchema(f *testing.F) {
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		f.Add([]byte(documents[name].document))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if lines, err := schema(text); err == nil && len(lines) < 2 {
			t.Errorf("got %q", lines)
		}
	})
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"1.json":    `{"definitions":{"a":{"type":"string"}}}`,
		"2.json":    `{"definitions":{"a":{"type":"integer"},"b":{"type":"string"}}}`,
		"notes.txt": "no JSON",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Read(dir)
	if err != nil || !d.Has("a") || !d.Has("b") || d.definitions["a"].Type != "string" {
		t.Errorf("got %+v, %v", d, err)
	}
	if _, err := Read(filepath.Join(dir, "none.json")); !os.IsNotExist(err) {
		t.Errorf("a missing file: %v", err)
	}
	empty := filepath.Join(t.TempDir(), "empty.json")
	if err := os.WriteFile(empty, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(empty); err == nil || !strings.HasSuffix(err.Error(), "empty.json: no definitions") {
		t.Errorf("an empty document: %v", err)
	}
}

func TestName(t *testing.T) {
	for pkg, want := range map[string]string{
		"k8s.io/api/core/v1":         "io.k8s.api.core.v1.T",
		"example.com/shop/apis/v1":   "com.example.shop.apis.v1.T",
		"shop/apis/v1":               "shop.apis.v1.T",
		"sigs.k8s.io/gateway/api/v1": "io.k8s.sigs.gateway.api.v1.T",
	} {
		if got := Name(pkg, "T"); got != want {
			t.Errorf("%s: got %s", pkg, got)
		}
	}
}
