package random

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
)

// A node is a value in an object, in a map or list.
type node struct {
	path  string
	key   string // of Values
	t     reflect.Type
	depth int

	in    map[string]any
	name  string
	list  []any // or in this
	index int
	set   func([]any) // replaces the list
}

func (n *node) value() any {
	if n.in != nil {
		return n.in[n.name]
	}
	return n.list[n.index]
}

func (n *node) replace(value any) {
	if n.in != nil {
		n.in[n.name] = value
		return
	}
	n.list[n.index] = value
}

func (n *node) remove() {
	if n.in != nil {
		delete(n.in, n.name)
		return
	}
	n.set(slices.Delete(slices.Clone(n.list), n.index, n.index+1))
}

// nodesOf returns all values in a value, in a fixed order.
func nodesOf(value any, t reflect.Type) []*node {
	var all []*node
	var walk func(value any, t reflect.Type, path, key string, depth int, set func([]any))
	walk = func(value any, t reflect.Type, path, key string, depth int, set func([]any)) {
		t = target(t)
		if special[t] != nil {
			return
		}
		switch value := value.(type) {
		case map[string]any:
			var fields map[string]reflect.Type
			if t.Kind() == reflect.Struct {
				fields = fieldsOf(t)
			}
			for _, name := range slices.Sorted(maps.Keys(value)) {
				n := &node{path: path + "." + name, depth: depth, in: value, name: name, t: fields[name]}
				switch {
				case t.Kind() == reflect.Map:
					n.t, n.key = t.Elem(), key+"[]"
				case n.t == nil:
					continue
				default:
					n.key = keyOf(t, name)
				}
				all = append(all, n)
				walk(value[name], n.t, n.path, n.key, depth+1, func(list []any) { value[name] = list })
			}
		case []any:
			if t.Kind() != reflect.Slice {
				return
			}
			for i := range value {
				n := &node{path: fmt.Sprintf("%s[%d]", path, i), key: key + "[]", t: t.Elem(), depth: depth, list: value, index: i, set: set}
				all = append(all, n)
				walk(value[i], n.t, n.path, n.key, depth+1, func(list []any) { value[i] = list })
			}
		}
	}
	walk(value, t, "", "", 0, nil)
	return all
}

// Mutate changes a value of a type at random below the field under, and returns what it did.
func (v Values) Mutate(r *rand.Rand, object map[string]any, t reflect.Type, under string) string {
	nodes := slices.DeleteFunc(nodesOf(object, t), func(n *node) bool {
		return n.path == under && n.in == nil || !strings.HasPrefix(n.path, under) || kept(n.path)
	})
	if len(nodes) == 0 {
		return "nothing"
	}
	if r.IntN(2) == 0 { // fields near the root are few
		limit := 1 + r.IntN(4)
		if near := slices.DeleteFunc(slices.Clone(nodes), func(n *node) bool { return n.depth > limit }); len(near) > 0 {
			nodes = near
		}
	}
	n := pick(r, nodes)
	switch old := n.value().(type) {
	case []any:
		if r.IntN(3) > 0 && target(n.t).Kind() == reflect.Slice {
			list := slices.Clone(old)
			if len(list) > 0 && r.IntN(2) == 0 {
				n.replace(append(list, clone(pick(r, list))))
				return n.path + ": an item twice"
			}
			item := v.make(r, target(n.t).Elem(), n.key+"[]", 3)
			n.replace(append(list, item))
			return n.path + ": another item " + text(item)
		}
	case map[string]any:
		if r.IntN(4) == 0 {
			break
		}
		switch t := target(n.t); {
		case special[t] != nil:
		case t.Kind() == reflect.Map:
			key, value := pick(r, texts), v.make(r, t.Elem(), n.key+"[]", 3)
			old[key] = value
			return n.path + ": key " + key + ": " + text(value)
		case t.Kind() == reflect.Struct:
			fields := fieldsOf(t)
			if len(fields) == 0 {
				break
			}
			name := pick(r, slices.Sorted(maps.Keys(fields)))
			if kept(n.path + "." + name) {
				return "nothing"
			}
			old[name] = v.make(r, fields[name], keyOf(t, name), 3)
			return n.path + "." + name + ": " + text(old[name])
		}
	}
	if r.IntN(3) == 0 {
		n.remove()
		return n.path + ": removed"
	}
	value := v.make(r, n.t, n.key, 3)
	n.replace(value)
	return n.path + ": " + text(value)
}

// kept reports whether a field is not changed: other tests change metadata, which all kinds have.
func kept(path string) bool {
	switch path {
	case ".metadata.labels", ".metadata.annotations", ".metadata.finalizers", ".metadata.ownerReferences":
		return false
	}
	return path == ".apiVersion" || path == ".kind" || strings.HasPrefix(path, ".metadata") && strings.Count(path, ".") < 3
}
