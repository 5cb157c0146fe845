package schema

import (
	"go/token"
	"maps"
	"slices"

	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// checkNames reports fields of a struct with one name in JSON, by the rule of package encoding/json: of embedded structs,
// the shallowest field counts, and of several there, none.
func (r *reader) checkNames(d *declared, t *resolve.Type) {
	taken := map[string]bool{}
	seen := map[*resolve.Type]bool{t: true}
	for level := []*resolve.Type{t}; len(level) > 0; {
		here := map[string][]*resolve.Field{}
		var next []*resolve.Type
		for _, t := range level {
			for _, f := range t.Fields() {
				tag, _ := parseTag(f.Tag)
				switch {
				case tag.skip || !f.Embedded && !token.IsExported(f.Name):
				case f.Embedded && tag.name == "":
					if inner := pointed(f.Type); inner.Kind() == resolve.Struct && !seen[inner] {
						seen[inner] = true
						next = append(next, inner)
					}
				case tag.name == "":
					here[f.Name] = append(here[f.Name], f)
				default:
					here[tag.name] = append(here[tag.name], f)
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(here)) {
			if fields := here[name]; len(fields) > 1 && !taken[name] {
				r.errorf(fields[1].Pos, "fields %s and %s have the name %s in the JSON of type %s, so encoding/json leaves out both; rename one", fields[0].Name, fields[1].Name, name, d.typ.Name())
			}
			taken[name] = true
		}
		level = next
	}
}

// pointed returns the type that a pointer points to, or the type itself.
func pointed(t *resolve.Type) *resolve.Type {
	if t.Kind() == resolve.Pointer {
		return t.Elem()
	}
	return t
}
