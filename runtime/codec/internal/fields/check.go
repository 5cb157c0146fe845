package fields

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Check returns an error if a path leads to no field of t, a pointer to a struct. Of objects that have only metadata, it
// checks only paths of metadata. It cannot check types without fields, such as untyped objects.
func (s *Set) Check(t reflect.Type) error {
	if found, ok := s.checked.Load(t); ok {
		err, _ := found.(error)
		return err
	}
	err := s.check(t)
	s.checked.Store(t, err)
	return err
}

func (s *Set) check(t reflect.Type) error {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct || t.Implements(reflect.TypeFor[runtime.Unstructured]()) {
		return nil
	}
	for _, path := range s.paths {
		path = strings.TrimPrefix(path, "-")
		if t == reflect.TypeFor[*metav1.PartialObjectMetadata]() && path != "metadata" && !strings.HasPrefix(path, "metadata.") {
			continue
		}
		at, passed := t, 0
		for name := range strings.SplitSeq(path, ".") {
			within := inner(at)
			if within == nil {
				return fmt.Errorf("invalid path %s: no fields can be selected below %s of %v", path, path[:passed-1], t.Elem())
			}
			f := find(within, name)
			if f == nil {
				return fmt.Errorf("unknown field %s of %v in path %s%s", name, within, path, suggest(name, within))
			}
			at, passed = f.typ, passed+len(name)+1
		}
	}
	return nil
}

// inner returns the struct type at which a path goes on in values of type t: through pointers, lists and maps. It
// returns nil if it ends there.
func inner(t reflect.Type) reflect.Type {
	for !decodesItself(t) {
		switch t.Kind() {
		case reflect.Struct:
			return t
		case reflect.Pointer, reflect.Slice, reflect.Map:
			t = t.Elem()
		default:
			return nil
		}
	}
	return nil
}

// decodesItself reports whether values of type t have methods that decode them.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// field is a field of a struct.
type field struct {
	name  string // in JSON; empty if its fields are those of the struct around it
	index int
	typ   reflect.Type
}

var known sync.Map // reflect.Type to []field

// fieldsOf returns the fields of a struct that JSON has.
func fieldsOf(t reflect.Type) []field {
	if f, ok := known.Load(t); ok {
		return f.([]field)
	}
	var all []field
	for i := range t.NumField() {
		sf := t.Field(i)
		if name := NameOf(sf); name != "-" {
			all = append(all, field{name: name, index: i, typ: sf.Type})
		}
	}
	known.Store(t, all)
	return all
}

// NameOf returns the name of a field in JSON: empty if its fields are those of the struct around it, "-" if it has none.
func NameOf(sf reflect.StructField) string {
	name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
	if sf.Anonymous && name == "" {
		t := sf.Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() == reflect.Struct && !decodesItself(t) {
			return ""
		}
	}
	switch {
	case !sf.IsExported():
		return "-"
	case name == "":
		return sf.Name
	}
	return name
}

// find returns the field of that name in a struct or in those that are embedded in it, or nil.
func find(t reflect.Type, name string) *field {
	for _, f := range fieldsOf(t) {
		if f.name == name {
			return &f
		}
		if f.name == "" {
			if found := find(inner(f.typ), name); found != nil {
				return found
			}
		}
	}
	return nil
}

// suggest returns the addition to an error about an unknown field, empty if no name is similar.
func suggest(name string, t reflect.Type) string {
	best, least := "", 3
	var search func(t reflect.Type)
	search = func(t reflect.Type) {
		for _, f := range fieldsOf(t) {
			if f.name == "" {
				search(inner(f.typ))
				continue
			}
			if d := distance(strings.ToLower(name), strings.ToLower(f.name)); d < least && d < len(name) {
				best, least = f.name, d
			}
		}
	}
	if search(t); best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance returns how many letters must be inserted, removed or replaced to get from a to b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}
