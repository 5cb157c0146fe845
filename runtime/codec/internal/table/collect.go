package table

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
)

// collected are the fields of a struct and of the structs embedded in it.
type collected struct {
	fields      []plain
	names       []string // of all members that there may be, more than once if more than one field may have them
	unsupported []Slow   // fields that are left to the exact decoder
	seen        map[reflect.Type]bool
}

// plain is a field whose name all decoders read alike.
type plain struct {
	name   string
	offset uintptr
	typ    reflect.Type
}

// collect finds the fields of t. Those whose name or tag takes the exact decoder to read are unsupported; so are all fields
// of a name that occurs twice, since its rules decide which of them counts.
func collect(t reflect.Type) collected {
	c := collected{seen: map[reflect.Type]bool{}}
	c.add(t, 0, "")
	count := map[string]int{}
	for _, name := range c.names {
		count[name]++
	}
	all := c.fields
	c.fields = nil
	for _, f := range all {
		switch count[f.name] {
		case 1:
			c.fields = append(c.fields, f)
		case 0: // reported already
		default:
			c.unsupported = append(c.unsupported, Slow{Path: f.name, Type: f.typ, Why: "two fields of this name"})
			count[f.name] = 0
		}
	}
	return c
}

// add adds the fields of t, which is at that offset. All of them are unsupported if why is not empty.
func (c *collected) add(t reflect.Type, offset uintptr, why string) {
	if c.seen[t] {
		return
	}
	c.seen[t] = true
	defer delete(c.seen, t)
	for i := range t.NumField() {
		sf := t.Field(i)
		tag := sf.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		embedded := sf.Anonymous && name == ""
		if tag == "-" || !sf.IsExported() && !sf.Anonymous {
			continue
		}
		reason := why
		if reason == "" {
			reason = whyUnsupported(sf, name, options, embedded)
		}
		of := sf.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if embedded && of.Kind() == reflect.Struct {
			if reason != "" && why == "" {
				c.unsupported = append(c.unsupported, Slow{Path: sf.Name, Type: sf.Type, Why: reason})
			}
			c.add(of, offset+sf.Offset, reason)
			continue
		}
		if name == "" {
			name = sf.Name
		}
		c.names = append(c.names, name)
		switch {
		case reason == "":
			c.fields = append(c.fields, plain{name, offset + sf.Offset, sf.Type})
		case why == "":
			c.names = append(c.names, sf.Name) // which counts if that of the tag is not valid
			c.unsupported = append(c.unsupported, Slow{Path: name, Type: sf.Type, Why: reason})
		}
	}
}

// whyUnsupported returns why a field is unsupported, or "" if it is not.
func whyUnsupported(sf reflect.StructField, name, options string, embedded bool) string {
	switch {
	case !sf.IsExported():
		return "embedded types that are not exported"
	case embedded && sf.Type.Kind() == reflect.Pointer:
		return "embedded pointers"
	case embedded && sf.Type.Kind() != reflect.Struct:
		return "embedded types that are not structs"
	case embedded && (implements[json.Unmarshaler](sf.Type) || implements[encoding.TextUnmarshaler](sf.Type)):
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
