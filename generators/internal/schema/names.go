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
		first, second := map[string]*resolve.Field{}, map[string]*resolve.Field{} // of those with a name
		add := func(name string, f *resolve.Field) {
			switch {
			case first[name] == nil:
				first[name] = f
			case second[name] == nil:
				second[name] = f
			}
		}
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
					add(f.Name, f)
				default:
					add(tag.name, f)
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(second)) {
			if !taken[name] {
				r.errorf(second[name].Pos, "fields %s and %s have the name %s in the JSON of type %s, so encoding/json leaves out both; rename one", first[name].Name, second[name].Name, name, d.name())
			}
		}
		for name := range first {
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
