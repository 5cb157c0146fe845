package validation

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Create returns what is invalid in a new object.
func Create(obj runtime.Object) field.ErrorList { return run(obj, nil) }

// Update returns what is invalid in the new state of an object, or may not change.
func Update(obj, old runtime.Object) field.ErrorList { return run(obj, old) }

// UpdateStatus returns what is invalid in the new status of an object, or may not change, when a subresource is written:
// "status" or "approval".
func UpdateStatus(obj, old runtime.Object, subresource string) field.ErrorList {
	now, was := reflect.ValueOf(obj).Elem(), reflect.ValueOf(old).Elem()
	index, ok := now.Type().FieldByName("Status")
	if !ok {
		return nil
	}
	tables, err := rows()
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	status := place{path: field.NewPath("status"), value: now.FieldByIndex(index.Index), old: was.FieldByIndex(index.Index)}
	errs := visit(status, false)
	for _, r := range tables[nameOf(now.Type())+"/"+subresource] {
		for _, c := range r.checks {
			errs = append(errs, c(place{value: now, old: was, visit: visit})...)
		}
	}
	return append(errs, visit(status, true)...)
}

func run(obj, old runtime.Object) field.ErrorList {
	if s, ok := obj.(*appsv1.StatefulSet); ok {
		obj = withIdentity(s)
	}
	p := place{value: reflect.ValueOf(obj).Elem()}
	if old != nil {
		p.old = reflect.ValueOf(old).Elem()
	}
	return both(p)
}

// both runs the checks of a value, and then the last ones.
func both(p place) field.ErrorList {
	var errs field.ErrorList
	for _, last := range []bool{false, true} {
		errs = append(errs, visit(p, last)...)
	}
	return errs
}

// A place is a value in an object.
type place struct {
	path  *field.Path
	value reflect.Value // addressable, unless it is an item of a map; a pointer or what it points to
	old   reflect.Value // the value before an update; invalid if there is none
	item  bool          // of a list or map, or a key: it is not missing if it is zero

	// visit runs the checks of the types in a place, for a check that chooses between fields.
	visit func(p place, last bool) field.ErrorList
}

// follow returns the place of what a pointer points to, and false for nil.
func (p place) follow() (place, bool) {
	for p.value.Kind() == reflect.Pointer {
		if p.value.IsNil() {
			return p, false
		}
		p.value = p.value.Elem()
	}
	for p.old.IsValid() && p.old.Kind() == reflect.Pointer {
		p.old = p.old.Elem()
	}
	return p, true
}

// visit runs the checks of a value's type, and of the types in it.
func visit(p place, last bool) field.ErrorList {
	p, ok := p.follow()
	if !ok {
		return nil
	}
	plan, err := planOf(p.value.Type())
	if err != nil {
		return field.ErrorList{field.InternalError(p.path, err)}
	}
	if plan == nil {
		return nil
	}
	var errs field.ErrorList
	switch p.value.Kind() {
	case reflect.Struct:
		for i := range plan.steps {
			errs = append(errs, plan.steps[i].run(p, last)...)
		}
	case reflect.Slice, reflect.Map:
		for _, item := range p.each(items) {
			errs = append(errs, visit(item, last)...)
		}
	}
	return errs
}

// each returns the items or keys of a value.
func (p place) each(of part) []place {
	var out []place
	switch p.value.Kind() {
	case reflect.Slice:
		for i := range p.value.Len() {
			out = append(out, place{path: p.path.Index(i), value: p.value.Index(i), item: true, visit: p.visit})
		}
	case reflect.Map:
		names := p.value.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range names {
			value := key
			if of == items {
				value = p.value.MapIndex(key)
			}
			out = append(out, place{path: p.path.Key(key.String()), value: value, item: true, visit: p.visit})
		}
	}
	return out
}

// A plan contains the checks of a struct type, or is there for the items of a list or map.
type plan struct{ steps []step }

type step struct {
	index  []int // of the field; none: the struct itself
	name   string
	inline bool
	part   part
	last   bool
	create bool // only new objects are checked
	limit  int  // of items whose values are checked; 0 for any number
	checks []check
	down   [2]bool // the values in the field are checked too: first, and last
}

func (s *step) run(p place, last bool) field.ErrorList {
	if s.create && p.old.IsValid() {
		return nil
	}
	if s.index != nil {
		p.item = false
		p.value = p.value.FieldByIndex(s.index)
		if p.old.IsValid() {
			p.old = p.old.FieldByIndex(s.index)
		}
		if !s.inline {
			p.path = p.path.Child(s.name)
		}
	}
	var errs field.ErrorList
	if s.last == last && len(s.checks) > 0 {
		p.visit = visit
		places := []place{p}
		if s.part != whole {
			if at, ok := p.follow(); ok {
				places = at.each(s.part)
			} else {
				places = nil
			}
		}
		for _, at := range places {
			for _, c := range s.checks {
				if found := c(at); len(found) > 0 {
					errs = append(errs, found...)
					break
				}
			}
		}
	}
	if s.down[phase(last)] && !s.tooMany(p) {
		errs = append(errs, visit(p, last)...)
	}
	return errs
}

// tooMany reports whether a list has so many items that the real server checks none.
func (s *step) tooMany(p place) bool {
	p, ok := p.follow()
	return ok && s.limit > 0 && p.value.Len() > s.limit
}

// phase returns 0 for the checks that come first, and 1 for the last ones.
func phase(last bool) int {
	if last {
		return 1
	}
	return 0
}

// plans contains the plan of each type: nil if nothing in it is checked.
var plans sync.Map

func planOf(t reflect.Type) (*plan, error) {
	if p, ok := plans.Load(t); ok {
		return p.(*plan), nil
	}
	tables, err := rows()
	if err != nil {
		return nil, err
	}
	p, err := newPlan(t, tables)
	if err != nil {
		return nil, err
	}
	plans.Store(t, p)
	return p, nil
}

func newPlan(t reflect.Type, tables map[string][]row) (*plan, error) {
	if !checked(t, tables, map[reflect.Type]bool{}) {
		return nil, nil
	}
	p := &plan{}
	if t.Kind() != reflect.Struct {
		return p, nil
	}
	fields := fieldsOf(t)
	done, skipped := map[string]bool{}, map[string]bool{}
	limits := map[string]int{}
	led := [2]map[string]bool{{}, {}} // the fields to whose values a row leads, by phase
	for _, r := range tables[nameOf(t)] {
		s := step{part: r.part, last: r.last, create: r.create, checks: r.checks}
		if r.field != "*" {
			f, ok := fieldOf(t, r.field)
			if !ok {
				return nil, fmt.Errorf("%s: %s has no field %s", r.at, nameOf(t), r.field)
			}
			s.index, s.name, s.inline = f.index, r.field, f.inline
			skipped[r.field] = skipped[r.field] || r.skip
			limits[r.field] = max(limits[r.field], r.limit)
		}
		p.steps = append(p.steps, s)
	}
	// The last row of a field leads to the values in it: in each phase, that of the phase if there is one.
	for i := len(p.steps) - 1; i >= 0; i-- {
		s := &p.steps[i]
		if s.index == nil {
			continue
		}
		s.limit = limits[s.name]
		down := !skipped[s.name] && checked(t.FieldByIndex(s.index).Type, tables, map[reflect.Type]bool{})
		for n, last := range []bool{false, true} {
			here := s.last == last || !hasRow(tables[nameOf(t)], s.name, last)
			if here && !led[n][s.name] {
				led[n][s.name] = true
				s.down[n] = down
			}
		}
		done[s.name] = true
	}
	for _, r := range tables[nameOf(t)] {
		for _, name := range r.members {
			done[name] = true
		}
	}
	for _, f := range fields {
		if !done[f.name] && checked(t.FieldByIndex(f.index).Type, tables, map[reflect.Type]bool{}) {
			p.steps = append(p.steps, step{index: f.index, name: f.name, inline: f.inline, down: [2]bool{true, true}})
		}
	}
	return p, nil
}

// hasRow reports whether a field has a row among those of a phase.
func hasRow(rows []row, name string, last bool) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.field == name && r.last == last })
}

// checked reports whether there are rows for a type, or one in it.
func checked(t reflect.Type, tables map[string][]row, seen map[reflect.Type]bool) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return checked(t.Elem(), tables, seen)
	case reflect.Struct:
	default:
		return false
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	if len(tables[nameOf(t)]) > 0 {
		return true
	}
	for _, f := range fieldsOf(t) {
		if checked(t.FieldByIndex(f.index).Type, tables, seen) {
			return true
		}
	}
	return false
}

type named struct {
	name   string
	index  []int
	inline bool
}

// fieldOf returns the field of a struct, or of one that is embedded in it, by its name in JSON.
func fieldOf(t reflect.Type, name string) (named, bool) {
	fields := fieldsOf(t)
	for _, f := range fields {
		if f.name == name {
			return f, true
		}
	}
	for _, f := range fields {
		if !f.inline {
			continue
		}
		if in, ok := fieldOf(t.FieldByIndex(f.index).Type, name); ok {
			in.index = append(slices.Clone(f.index), in.index...)
			return in, true
		}
	}
	return named{}, false
}

// fieldsOf returns the fields of a struct that may be checked: not the metadata and the status of an object. Embedded
// structs have the name of their type.
func fieldsOf(t reflect.Type) []named {
	_, object := t.FieldByName("TypeMeta")
	var out []named
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Name == "TypeMeta" || object && (f.Name == "ObjectMeta" || f.Name == "Status") || !f.IsExported():
		case f.Anonymous && name == "":
			out = append(out, named{f.Name, f.Index, true})
		default:
			out = append(out, named{name, f.Index, false})
		}
	}
	return out
}

// nameOf returns the name of a type as in the tables.
func nameOf(t reflect.Type) string {
	return strings.TrimPrefix(t.PkgPath(), "k8s.io/api/") + "." + t.Name()
}
