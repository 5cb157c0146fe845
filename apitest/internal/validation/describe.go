package validation

import (
	"reflect"
	"slices"
	"strings"
)

// A Type describes what is checked of a Go type of k8s.io/api.
type Type struct {
	Name    string   // as in the tables
	Checks  []string // lines of the tables
	Without []string // fields without a check, except those whose type can be only true or false, or contains checks
}

// Describe returns what is checked of an object's type and of the types in it, which come after it.
func Describe(t reflect.Type) ([]Type, error) {
	tables, err := rows()
	if err != nil {
		return nil, err
	}
	d := &describer{tables: tables, seen: map[reflect.Type]bool{}}
	d.add(t)
	if status, ok := t.FieldByName("Status"); ok && checked(status.Type, tables, map[reflect.Type]bool{}) {
		d.add(status.Type)
	}
	for _, part := range []string{"/status", "/approval"} {
		if own := tables[nameOf(t)+part]; own != nil {
			d.types = append(d.types, Type{Name: nameOf(t) + part, Checks: texts(own)})
		}
	}
	return d.types, nil
}

type describer struct {
	tables map[string][]row
	seen   map[reflect.Type]bool
	types  []Type
}

// add adds a type, and those of its fields, once.
func (d *describer) add(t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || d.seen[t] || !strings.HasPrefix(t.PkgPath(), "k8s.io/api/") {
		return
	}
	d.seen[t] = true
	own := d.tables[nameOf(t)]
	at := len(d.types)
	d.types = append(d.types, Type{Name: nameOf(t), Checks: texts(own)})
	for _, f := range fieldsOf(t) {
		of := t.FieldByIndex(f.index).Type
		d.add(of)
		if f.name == "-" || slices.ContainsFunc(own, func(r row) bool { return r.field == f.name && len(r.checks) > 0 }) || free(of) {
			continue
		}
		d.types[at].Without = append(d.types[at].Without, f.name)
	}
}

// free reports whether any value of a field's type is as good as another, or is described with its own type.
func free(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	return t.Kind() == reflect.Bool || t.Kind() == reflect.Struct && strings.HasPrefix(t.PkgPath(), "k8s.io/api/")
}

func texts(all []row) []string {
	var out []string
	for _, r := range all {
		if len(r.checks) > 0 {
			out = append(out, r.text)
		}
	}
	return out
}
