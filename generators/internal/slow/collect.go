package slow

import (
	"go/token"
	"reflect"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// member is a field with its name in JSON.
type member struct {
	*resolve.Field
	name   string
	prefix string // of its name in Go
	why    string // the reason why it is slow whatever its type; empty for none
}

// collector finds the members of a struct.
type collector struct {
	*explainer
	members []member
	count   map[string]int // how many members there may be of a name
	open    map[*resolve.Type]bool
}

// collect returns the members of t and of the structs that are embedded in it. Of those with one name, the first is
// returned, which is slow, since the rules of encoding/json decide which of them counts.
func (e *explainer) collect(t *resolve.Type, prefix string) []member {
	c := collector{explainer: e, count: map[string]int{}, open: map[*resolve.Type]bool{}}
	c.add(t, prefix, "")
	var result []member
	for _, m := range c.members {
		if m.why == "" && c.count[m.name] > 1 {
			m.why = "two fields of this name"
			c.count[m.name] = 0
		}
		if c.count[m.name] > 0 || m.why != "" {
			result = append(result, m)
		}
	}
	return result
}

// add adds the members of t. All of them belong to a slow field if why is not empty.
func (c *collector) add(t *resolve.Type, prefix, why string) {
	if c.open[t] {
		return
	}
	c.open[t] = true
	defer delete(c.open, t)
	counts := !c.counted[t]
	c.counted[t] = true
	for _, f := range t.Fields() {
		tag := reflect.StructTag(f.Tag).Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if tag == "-" || !token.IsExported(f.Name) && !f.Embedded {
			continue
		}
		embedded := f.Embedded && name == ""
		reason := why
		if reason == "" {
			reason = oddity(f, name, options, embedded)
		}
		of := pointed(f.Type)
		if embedded && of.Kind() == resolve.Struct {
			if reason != "" && why == "" {
				c.members = append(c.members, member{f, f.Name, prefix, reason})
			}
			inner := prefix + f.Name + "."
			if of.Name() != "" {
				inner = of.Name() + "."
			}
			c.add(of, inner, reason)
			continue
		}
		if counts {
			c.fields++
		}
		if name == "" {
			name = f.Name
		}
		c.count[name]++
		switch {
		case reason == "":
			c.members = append(c.members, member{f, name, prefix, ""})
		case why == "":
			c.count[f.Name]++ // which counts if the name of the tag is not valid
			c.members = append(c.members, member{f, name, prefix, reason})
		}
	}
}

// pointed returns what t points to, or t if it is not a pointer.
func pointed(t *resolve.Type) *resolve.Type {
	if t.Kind() == resolve.Pointer {
		return t.Elem()
	}
	return t
}

// oddity returns why a field is slow whatever its type, or "" if it is not.
func oddity(f *resolve.Field, name, options string, embedded bool) string {
	switch {
	case !token.IsExported(f.Name):
		return "embedded types that are not exported"
	case embedded && f.Type.Kind() == resolve.Pointer:
		return "embedded pointers"
	case embedded && f.Type.Kind() == resolve.Unknown:
		return ""
	case embedded && f.Type.Kind() != resolve.Struct:
		return "embedded types that are not structs"
	case embedded && (implements(f.Type, unmarshalJSON) || implements(f.Type, unmarshalText)):
		return "embedded types that decode themselves"
	}
	for option := range strings.SplitSeq(options, ",") {
		if option != "" && option != "omitempty" && option != "omitzero" && (option != "inline" || !embedded) {
			return "the option " + option
		}
	}
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("_.$/-", c) {
			return "names beyond letters, digits and _.$/-"
		}
	}
	return ""
}
