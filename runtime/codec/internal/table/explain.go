package table

import (
	"reflect"
)

// Slow is a field that is decoded slowly.
type Slow struct {
	// Path is the path of the field by the names of members; [] are elements and values of maps.
	Path string
	Type reflect.Type
	// Why is the reason: what the fast decoder does not know, as a plural, or a clause about the type.
	Why string
}

// Explain returns the fields of t that are decoded by sigs.k8s.io/json or by a method of their type, in the order
// of their declaration. What a type contains in several places is listed once.
func Explain(t reflect.Type) []Slow {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	tab := Of(t)
	if tab == nil {
		compiling.Lock()
		defer compiling.Unlock()
		var v value
		new(compiler).value(&v, t)
		if v.why == "" {
			return nil
		}
		return []Slow{{Type: t, Why: v.why}}
	}
	e := explainer{seen: map[*Table]bool{}}
	e.table("", tab)
	return e.slow
}

type explainer struct {
	slow []Slow
	seen map[*Table]bool
}

func (e *explainer) table(path string, t *Table) {
	if e.seen[t] {
		return
	}
	e.seen[t] = true
	for i := range t.fields {
		e.value(path+"."+t.fields[i].name(), &t.fields[i].value)
	}
	for _, s := range t.unsupported {
		s.Path = path + "." + s.Path
		e.slow = append(e.slow, s)
	}
}

func (e *explainer) value(path string, v *value) {
	switch {
	case v.op == opItself:
		e.slow = append(e.slow, Slow{Path: path, Type: v.typ, Why: v.why})
	case v.sub != nil:
		e.table(path, v.sub)
	case v.elem != nil:
		if v.op == opSlice || v.op == opMap {
			path += "[]"
		}
		e.value(path, v.elem)
	}
}
