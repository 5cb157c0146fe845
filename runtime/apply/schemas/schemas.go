// Package schemas parses the schemas in generated apply configurations: by which keys the items of
// lists are merged, and which maps and lists are merged as a whole.
//
// A schema is a text with one line per type, in JSON. Package typed of structured-merge-diff reads
// the same as YAML, in eight times the time: 184 ms instead of 22 ms for the built-in API. Unions are not part of
// it, since nothing there uses them.
package schemas

import (
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// Parse returns the types in a text. The caller owns the result.
func Parse(text string) (*typed.Parser, error) {
	p := &typed.Parser{}
	p.Schema.Types = make([]schema.TypeDef, 0, strings.Count(text, "\n"))
	for line := range strings.Lines(text) {
		var t definition
		if err := json.Unmarshal([]byte(line), &t); err != nil {
			return nil, fmt.Errorf("schema of type %d: %w", len(p.Schema.Types)+1, err)
		}
		p.Schema.Types = append(p.Schema.Types, schema.TypeDef{Name: t.Name, Atom: t.convert()})
	}
	return p, nil
}

// definition is a line of a text.
type definition struct {
	Name string `json:"name"`
	atom
}

// atom is a scalar, a list or a map, or all of these.
type atom struct {
	Scalar *schema.Scalar `json:"scalar"`
	List   *struct {
		Element      ref                        `json:"elementType"`
		Relationship schema.ElementRelationship `json:"elementRelationship"`
		Keys         []string                   `json:"keys"`
	} `json:"list"`
	Map *struct {
		Fields []struct {
			Name    string `json:"name"`
			Type    ref    `json:"type"`
			Default any    `json:"default"`
		} `json:"fields"`
		Element      ref                        `json:"elementType"`
		Relationship schema.ElementRelationship `json:"elementRelationship"`
	} `json:"map"`
}

// ref is the name of a type, or a type.
type ref struct {
	Name *string `json:"namedType"`
	atom
	Relationship *schema.ElementRelationship `json:"elementRelationship"`
}

func (a atom) convert() schema.Atom {
	result := schema.Atom{Scalar: a.Scalar}
	if l := a.List; l != nil {
		result.List = &schema.List{ElementType: l.Element.convert(), ElementRelationship: l.Relationship, Keys: l.Keys}
	}
	if m := a.Map; m != nil {
		result.Map = &schema.Map{ElementType: m.Element.convert(), ElementRelationship: m.Relationship}
		for _, f := range m.Fields {
			result.Fields = append(result.Fields, schema.StructField{Name: f.Name, Type: f.Type.convert(), Default: number(f.Default)})
		}
	}
	return result
}

// number returns a default value in which whole numbers are integers, as in objects.
func number(value any) any {
	if f, ok := value.(float64); ok && f == float64(int64(f)) {
		return int(f)
	}
	return value
}

func (r ref) convert() schema.TypeRef {
	return schema.TypeRef{NamedType: r.Name, Inlined: r.atom.convert(), ElementRelationship: r.Relationship}
}
