package breaking

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// generator generates schemas, changes of them, and objects.
type generator struct{ *rand.Rand }

var names = []string{"a", "b", "c", "d"}

func pick[T any](g generator, list ...T) T { return list[g.IntN(len(list))] }

// one reports true once in n times.
func (g generator) one(n int) bool { return g.IntN(n) == 0 }

// root returns the schema of an object, with metadata.
func (g generator) root() object {
	s := g.structure(3)
	s["properties"].(object)["metadata"] = object{"type": "object"}
	return s
}

// schema returns a schema of any type.
func (g generator) schema(depth int) object {
	if depth == 0 {
		return g.leaf()
	}
	switch g.IntN(8) {
	case 0, 1:
		return g.structure(depth - 1)
	case 2:
		s := object{"type": "array", "items": g.schema(depth - 1)}
		g.set(s, g.IntN(3))
		return s
	case 3:
		s := object{"type": "object", "additionalProperties": g.schema(depth - 1)}
		if g.one(3) {
			s["maxProperties"] = int64(g.IntN(4))
		}
		return s
	case 4:
		s := object{"type": "array", "x-kubernetes-list-type": "set", "items": object{"type": "string"}}
		return s
	case 5:
		item := g.structure(0)
		item["properties"].(object)["a"] = object{"type": "string"}
		item["required"] = []any{"a"}
		return object{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"a"}, "items": item}
	}
	return g.leaf()
}

// structure returns the schema of an object with properties.
func (g generator) structure(depth int) object {
	properties := object{}
	for _, name := range names {
		if g.one(2) {
			properties[name] = g.schema(depth)
		}
	}
	s := object{"type": "object", "properties": properties}
	g.set(s, g.IntN(2))
	return s
}

// leaf returns the schema of a value without parts.
func (g generator) leaf() object {
	switch g.IntN(6) {
	case 0:
		return object{"type": "boolean"}
	case 1:
		return object{"x-kubernetes-preserve-unknown-fields": true}
	case 2:
		return object{"x-kubernetes-int-or-string": true}
	}
	s := object{"type": pick(g, "string", "integer", "number", "integer", "string")}
	g.set(s, g.IntN(3))
	return s
}

// keywords are the keywords of each type with their values.
var keywords = map[string]map[string][]any{
	"string": {
		"maxLength": {int64(0), int64(1), int64(2), int64(5)}, "minLength": {int64(0), int64(1), int64(2)}, "pattern": {"^a", "b", ""}, "format": {"ipv4", "date-time", "other", "byte"},
		"enum": {[]any{"a", "ab"}, []any{"a"}, []any{"ab", "b", "abc"}}, "default": {"a", "ab"}, "nullable": {true, false},
		"allOf": {[]any{object{"maxLength": int64(1)}}, []any{object{"pattern": "a"}}}, "anyOf": {[]any{object{"maxLength": int64(1)}, object{"minLength": int64(3)}}, []any{object{"pattern": "a"}}},
		"not": {object{"pattern": "a"}}, "oneOf": {[]any{object{"pattern": "a"}, object{"pattern": "b"}}},
		"x-kubernetes-validations": {[]any{object{"rule": "self.size() < 2"}}, []any{object{"rule": "self == 'a'"}}, []any{object{"rule": "self == oldSelf"}}},
		"description":              {"text"},
	},
	"integer": {
		"maximum": {int64(0), int64(1), int64(3)}, "minimum": {int64(0), int64(1), int64(-1)}, "exclusiveMaximum": {true}, "exclusiveMinimum": {true}, "multipleOf": {int64(1), int64(2), int64(4)},
		"format": {"int32", "int64"}, "enum": {[]any{int64(1), int64(2)}, []any{int64(1)}}, "default": {int64(1), int64(2)}, "nullable": {true, false},
		"x-kubernetes-validations": {[]any{object{"rule": "self > 0"}}},
	},
	"number": {
		"maximum": {0.5, int64(1), int64(3)}, "minimum": {int64(0), 0.5}, "exclusiveMaximum": {true}, "multipleOf": {0.5, int64(1)}, "format": {"float", "double"}, "default": {0.5, int64(1)},
	},
	"boolean": {"default": {true, false}, "nullable": {true}, "enum": {[]any{true}}},
	"array": {
		"maxItems": {int64(0), int64(1), int64(2)}, "minItems": {int64(0), int64(1)}, "nullable": {true}, "default": {[]any{}}, "x-kubernetes-list-type": {"atomic"},
		"x-kubernetes-validations": {[]any{object{"rule": "self.size() < 2"}}},
	},
	"object": {
		"maxProperties": {int64(0), int64(1), int64(2)}, "minProperties": {int64(0), int64(1)}, "nullable": {true}, "x-kubernetes-map-type": {"atomic", "granular"}, "default": {object{}},
		"required": {[]any{"a"}, []any{"a", "b"}, []any{"b"}}, "x-kubernetes-preserve-unknown-fields": {true},
		"oneOf":                    {[]any{object{"required": []any{"a"}}, object{"required": []any{"b"}}}},
		"x-kubernetes-validations": {[]any{object{"rule": "!has(self.a)"}}, []any{object{"rule": "has(self.b) || !has(self.c)"}}},
	},
}

// set adds or replaces n keywords.
func (g generator) set(s object, n int) {
	kind, _ := s["type"].(string)
	possible := slices.Sorted(maps.Keys(keywords[kind]))
	if len(possible) == 0 {
		return
	}
	for range n {
		k := pick(g, possible...)
		s[k] = pick(g, keywords[kind][k]...)
	}
}

// mutate changes a schema, or a part of it.
func (g generator) mutate(s object) {
	parts := children(s)
	if len(parts) > 0 && !g.one(3) {
		g.mutate(pick(g, parts...))
		return
	}
	kind, _ := s["type"].(string)
	switch g.IntN(10) {
	case 0: // remove a keyword
		present := slices.DeleteFunc(slices.Sorted(maps.Keys(s)), func(k string) bool { return keywords[kind][k] == nil && k != "x-kubernetes-preserve-unknown-fields" })
		if len(present) > 0 {
			delete(s, pick(g, present...))
			return
		}
		g.set(s, 1)
	case 1: // replace a value's schema
		for k := range s {
			delete(s, k)
		}
		maps.Copy(s, g.schema(1))
	case 2:
		if kind == "integer" || kind == "string" {
			s["type"] = pick(g, "number", "string", "integer")
			return
		}
		g.set(s, 2)
	case 3, 4:
		if properties, ok := s["properties"].(object); ok {
			name := pick(g, names...)
			if properties[name] != nil {
				delete(properties, name)
			} else {
				properties[name] = g.schema(1)
				if g.one(2) {
					properties[name] = object{"type": "string", "default": "a"}
				}
			}
			return
		}
		g.set(s, 1)
	case 5:
		switch s["x-kubernetes-list-type"] {
		case "set", "map":
			delete(s, "x-kubernetes-list-type")
			delete(s, "x-kubernetes-list-map-keys")
		default:
			if items, ok := s["items"].(object); ok && items["type"] == "string" {
				s["x-kubernetes-list-type"] = "set"
				return
			}
			g.set(s, 1)
		}
	default:
		g.set(s, 1+g.IntN(2))
	}
}

// children returns the schemas of the parts.
func children(s object) []object {
	var parts []object
	properties, _ := s["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		parts = append(parts, properties[name].(object))
	}
	for _, k := range []string{"items", "additionalProperties"} {
		if part, ok := s[k].(object); ok {
			parts = append(parts, part)
		}
	}
	return parts
}

// object returns an object for a schema, which often is valid.
func (g generator) object(s object) object {
	o, ok := g.value(s).(object)
	if !ok {
		o = object{}
	}
	o["apiVersion"], o["kind"] = "example.com/v1", "Kind"
	o["metadata"] = object{"name": "name"}
	return o
}

func (g generator) value(s object) any {
	if s["nullable"] == true && g.one(6) {
		return nil
	}
	if enum, ok := s["enum"].([]any); ok && !g.one(10) {
		return pick(g, enum...)
	}
	kind, _ := s["type"].(string)
	switch {
	case s["x-kubernetes-int-or-string"] == true:
		kind = pick(g, "integer", "string")
	case kind == "":
		kind = pick(g, "integer", "string", "object", "array")
	}
	switch kind {
	case "string":
		if format, _ := s["format"].(string); format != "" && !g.one(5) {
			return map[string]string{"ipv4": "1.2.3.4", "date-time": "2020-01-02T03:04:05Z", "byte": "YWI="}[format]
		}
		return pick(g, "", "a", "b", "ab", "abc", "bbbbbb", "1.2.3.4")
	case "integer":
		return pick(g, int64(-1), int64(0), int64(1), int64(2), int64(3), int64(4), int64(6), int64(1)<<40)
	case "number":
		return pick[any](g, int64(0), 0.5, int64(1), 1.25, int64(3))
	case "boolean":
		return g.one(2)
	case "array":
		items, _ := s["items"].(object)
		list := []any{}
		for range g.IntN(4) {
			list = append(list, g.value(items))
		}
		return list
	}
	o := object{}
	properties, _ := s["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !g.one(3) {
			o[name] = g.value(properties[name].(object))
		}
	}
	if values, ok := s["additionalProperties"].(object); ok {
		for i := range g.IntN(4) {
			o[fmt.Sprint("k", i)] = g.value(values)
		}
	}
	if s["x-kubernetes-preserve-unknown-fields"] == true || s["type"] == nil {
		for _, name := range names {
			if g.one(3) {
				o[name] = pick[any](g, "a", int64(1), object{"a": "b"})
			}
		}
	}
	return o
}
