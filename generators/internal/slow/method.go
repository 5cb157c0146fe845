package slow

import (
	"go/ast"

	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// The methods by which types decode themselves.
const (
	unmarshalJSON = "UnmarshalJSON"
	unmarshalText = "UnmarshalText"
)

// method is a method of the type of a pointer to some type.
type method struct {
	// addressed reports whether the type itself does not have it.
	addressed bool
}

// implements reports whether t or a pointer to it has a method, one of the constants.
func implements(t *resolve.Type, name string) bool { return find(t, name) != nil }

// holder is a type in which a method is searched.
type holder struct {
	t       *resolve.Type
	pointer bool // whether a pointer leads to it
}

// find returns the method of t with that name, declared or promoted, if its signature is the expected one; nil if
// there is none. As in Go, fields and methods in shallower structs hide those in deeper ones, and two in one
// depth each other.
func find(t *resolve.Type, name string) *method {
	seen := map[*resolve.Type]bool{}
	for level := []holder{{t: t}}; len(level) > 0; {
		var next []holder
		var found *method
		hits := 0
		for _, h := range level {
			if seen[h.t] {
				continue
			}
			if m, _ := h.t.Method(name); m != nil {
				hits++
				if decodes(m) {
					found = &method{addressed: m.Pointer && !h.pointer}
				}
				continue
			}
			for _, f := range h.t.Fields() {
				if f.Name == name {
					hits++
				}
				if !f.Embedded {
					continue
				}
				to := holder{f.Type, h.pointer}
				if f.Type.Decl() == nil && f.Type.Kind() == resolve.Pointer {
					to = holder{f.Type.Elem(), true}
				}
				next = append(next, to)
			}
		}
		switch {
		case hits == 1:
			return found
		case hits > 1:
			return nil
		}
		for _, h := range level {
			seen[h.t] = true
		}
		level = next
	}
	return nil
}

// decodes reports whether a method takes a slice of bytes and returns an error.
func decodes(m *resolve.Method) bool {
	return len(m.Params) == 1 && m.Params[0].Kind() == resolve.Slice && isByte(m.Params[0].Elem()) &&
		len(m.Results) == 1 && m.Results[0].Name() == "error"
}

// isEmpty reports whether an interface literal has no methods.
func isEmpty(t *resolve.Type) bool {
	i, ok := t.Expr().(*ast.InterfaceType)
	return ok && len(i.Methods.List) == 0
}
