package openapi

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Schema contains types by which objects are merged. Their JSON is YAML that package typed of
// structured-merge-diff reads.
type Schema struct {
	// Types are sorted by name.
	Types []Type `json:"types"`
}

// Type is a named type.
type Type struct {
	Name string `json:"name"`
	Atom
}

// Atom is a type: a scalar, a list, a map, or any of these if several are set.
type Atom struct {
	Scalar string `json:"scalar,omitempty"`
	List   *List  `json:"list,omitempty"`
	Map    *Map   `json:"map,omitempty"`
}

// List is a list. Relationship is atomic or associative: a set, or a map by Keys.
type List struct {
	Element      Ref      `json:"elementType"`
	Relationship string   `json:"elementRelationship"`
	Keys         []string `json:"keys,omitempty"`
}

// Map is a map, or a struct. Relationship is atomic, separable, or empty for separable.
type Map struct {
	Fields       []Field `json:"fields,omitempty"`
	Element      *Ref    `json:"elementType,omitempty"`
	Relationship string  `json:"elementRelationship,omitempty"`
}

// Field is a field of a struct.
type Field struct {
	Name    string          `json:"name"`
	Type    Ref             `json:"type"`
	Default json.RawMessage `json:"default,omitempty"`
}

// Ref is a type: the name of one, whose relationship can be overridden, or the type itself.
type Ref struct {
	Name string `json:"namedType,omitempty"`
	Atom
	Relationship string `json:"elementRelationship,omitempty"`
}

// The types of anything: one whose lists and maps are atomic, and one whose maps are separable.
const (
	untyped = "__untyped_atomic_"
	deduced = "__untyped_deduced_"
)

// deducedAtom is the content of the type deduced.
func deducedAtom() Atom {
	return Atom{
		Scalar: "untyped",
		List:   &List{Element: Ref{Name: untyped}, Relationship: "atomic"},
		Map:    &Map{Element: &Ref{Name: deduced}, Relationship: "separable"},
	}
}

// common are the types that every schema contains.
func common() []Type {
	atomic := deducedAtom()
	atomic.Map = &Map{Element: &Ref{Name: untyped}, Relationship: "atomic"}
	return []Type{{untyped, atomic}, {deduced, deducedAtom()}}
}

// JSON returns the types, and those that every schema contains, each as a line.
func (s *Schema) JSON() ([]string, error) {
	var lines []string
	for _, t := range slices.Concat(s.Types, common()) {
		text, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		lines = append(lines, string(text))
	}
	return lines, nil
}

// converter converts a definition.
type converter struct {
	name string
	err  error
}

func (c *converter) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(c.name+": "+format, args...)
	}
}

// atom converts a definition that is no reference. With preserve, unknown fields are kept.
func (c *converter) atom(def *definition, preserve bool) Atom {
	preserve = preserve || def.PreserveUnknown
	switch {
	case def.Properties != nil && (def.Type == "" || def.Type == "object"):
		m := &Map{Relationship: c.mapType(def)}
		names := make([]string, 0, len(def.Properties))
		for name := range def.Properties {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			f := def.Properties[name]
			m.Fields = append(m.Fields, Field{Name: name, Type: c.ref(f, preserve), Default: f.Default})
		}
		if preserve {
			m.Element = &Ref{Name: deduced}
		}
		return Atom{Map: m}
	case def.Type == "object":
		element := Ref{Atom: deducedAtom()}
		if sub := def.additional(); sub != nil {
			element = c.ref(sub, preserve)
		}
		return Atom{Map: &Map{Element: &element, Relationship: c.mapType(def)}}
	case def.Type == "array":
		if def.Items == nil {
			c.fail("array without items")
			return Atom{}
		}
		relationship, keys := c.listType(def)
		return Atom{List: &List{Element: c.ref(def.Items, preserve), Relationship: relationship, Keys: keys}}
	}
	return c.scalar(def)
}

// scalar converts the definition of a value without parts.
func (c *converter) scalar(def *definition) Atom {
	switch {
	case c.name == "io.k8s.apimachinery.pkg.api.resource.Quantity", len(def.OneOf) > 0:
		return Atom{Scalar: "untyped"}
	case def.Type == "integer", def.Type == "number":
		return Atom{Scalar: "numeric"}
	case def.Type == "boolean":
		return Atom{Scalar: "boolean"}
	case def.Type == "string" && (def.Format == "" || def.Format == "byte"):
		return Atom{Scalar: "string"}
	case def.Type == "string":
		return Atom{Scalar: "untyped"}
	case def.Type == "":
		return deducedAtom()
	}
	c.fail("unknown type %q", def.Type)
	return Atom{}
}

// ref converts the definition of a part.
func (c *converter) ref(def *definition, preserve bool) Ref {
	switch name := def.ref(); name {
	case "":
		return Ref{Atom: c.atom(def, preserve)}
	case "io.k8s.apimachinery.pkg.runtime.RawExtension":
		return Ref{Name: untyped}
	default:
		return Ref{Name: name, Relationship: c.mapType(def)}
	}
}

// mapType returns the relationship of the fields of a map or struct; empty if it is not set.
func (c *converter) mapType(def *definition) string {
	switch def.MapType {
	case "":
		return ""
	case "atomic":
		return "atomic"
	case "granular":
		return "separable"
	}
	c.fail("unknown x-kubernetes-map-type %q", def.MapType)
	return ""
}

// listType returns the relationship of the elements of a list, and their keys.
func (c *converter) listType(def *definition) (string, []string) {
	switch def.ListType {
	case "":
	case "atomic":
		return "atomic", nil
	case "set":
		return "associative", nil
	case "map":
		if len(def.ListMapKeys) == 0 {
			c.fail("x-kubernetes-list-type=map without x-kubernetes-list-map-keys")
		}
		return "associative", def.ListMapKeys
	default:
		c.fail("unknown x-kubernetes-list-type %q", def.ListType)
	}
	switch def.PatchStrategy {
	case "", "retainKeys":
		return "atomic", nil
	case "merge", "merge,retainKeys":
		if def.PatchMergeKey != "" {
			return "associative", []string{def.PatchMergeKey}
		}
		return "associative", nil
	}
	c.fail("unknown x-kubernetes-patch-strategy %q", def.PatchStrategy)
	return "atomic", nil
}
