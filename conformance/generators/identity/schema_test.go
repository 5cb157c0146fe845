package identity_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/golden"
)

// TestSchemas checks that the OpenAPI document from which the apply configurations of the built-in
// API are generated contains what client-go's schemas contain. With LISTWATCH_UPDATE=1, it writes the document:
// Kubernetes publishes none that has default values, and versions that are no longer served.
func TestSchemas(t *testing.T) {
	dir, err := peers.Dir()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(moduleDir(t, dir, clientGo), "applyconfigurations", "internal", "internal.go"))
	if err != nil {
		t.Fatal(err)
	}
	literal := regexp.MustCompile("(?s)YAMLObject\\(`(.*)`\\)").FindSubmatch(text)
	if literal == nil {
		t.Fatal("client-go's schemas are not found")
	}
	var schema struct{ Types []atom }
	if err := yaml.Unmarshal(literal[1], &schema); err != nil {
		t.Fatal(err)
	}
	definitions := map[string]any{}
	for _, typ := range schema.Types {
		if !strings.HasPrefix(typ.Name, "__") {
			definitions[typ.Name] = typ.definition(t)
		}
	}
	if len(definitions) < 500 {
		t.Fatalf("client-go's schemas have %d types", len(definitions))
	}
	var document bytes.Buffer
	document.WriteString("{\"definitions\": {\n")
	for i, name := range slices.Sorted(maps.Keys(definitions)) {
		line, err := json.Marshal(definitions[name])
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			document.WriteString(",\n")
		}
		fmt.Fprintf(&document, "%q: %s", name, line)
	}
	document.WriteString("\n}}\n")
	golden.File(t, filepath.Join(dir, "..", "kubernetes", "internal", "openapi.json"), document.String())
}

// atom is a type in the schemas of structured-merge-diff.
type atom struct {
	Name, Scalar string
	List         *struct {
		ElementType         *atom    `yaml:"elementType"`
		ElementRelationship string   `yaml:"elementRelationship"`
		Keys                []string `yaml:"keys"`
	}
	Map *struct {
		Fields []struct {
			Name    string
			Type    atom
			Default any
		}
		ElementType         *atom  `yaml:"elementType"`
		ElementRelationship string `yaml:"elementRelationship"`
	}
	NamedType           string `yaml:"namedType"`
	ElementRelationship string `yaml:"elementRelationship"`
}

// mapTypes are the values of x-kubernetes-map-type.
var mapTypes = map[string]string{"atomic": "atomic", "separable": "granular"}

// definition returns the type as OpenAPI defines it.
func (a *atom) definition(t *testing.T) map[string]any {
	t.Helper()
	d := map[string]any{}
	relate := func(relationship string) {
		if relationship != "" {
			d["x-kubernetes-map-type"] = mapTypes[relationship]
		}
	}
	switch {
	case a.NamedType == "__untyped_atomic_":
		d["$ref"] = "#/definitions/io.k8s.apimachinery.pkg.runtime.RawExtension"
	case a.NamedType != "":
		d["$ref"] = "#/definitions/" + a.NamedType
		relate(a.ElementRelationship)
	case a.Scalar == "untyped" && a.Map != nil:
		// Anything.
	case a.Scalar == "untyped":
		d["type"], d["format"] = "string", "any"
	case a.Scalar == "numeric":
		d["type"] = "number"
	case a.Scalar != "":
		d["type"] = a.Scalar
	case a.List != nil:
		d["type"], d["items"] = "array", a.List.ElementType.definition(t)
		switch {
		case a.List.ElementRelationship == "atomic":
			d["x-kubernetes-list-type"] = "atomic"
		case len(a.List.Keys) == 0:
			d["x-kubernetes-list-type"] = "set"
		default:
			d["x-kubernetes-list-type"], d["x-kubernetes-list-map-keys"] = "map", a.List.Keys
		}
	case a.Map != nil:
		d["type"] = "object"
		relate(a.Map.ElementRelationship)
		if a.Map.Fields != nil {
			properties := map[string]any{}
			for _, f := range a.Map.Fields {
				field := f.Type.definition(t)
				if f.Default != nil {
					field["default"] = f.Default
				}
				properties[f.Name] = field
			}
			d["properties"] = properties
			if a.Map.ElementType != nil {
				d["x-kubernetes-preserve-unknown-fields"] = true
			}
		} else if e := a.Map.ElementType; e != nil && (e.Scalar != "untyped" || e.Map == nil) {
			d["additionalProperties"] = e.definition(t)
		}
	default:
		t.Errorf("type %q has no form", a.Name)
	}
	return d
}
