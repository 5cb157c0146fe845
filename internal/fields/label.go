package fields

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// root is memory that labels are relative to: an object, or a part of one that the program allocates.
type root struct {
	// typ is the type of the memory; nil for objects whose kind is known only when a type is asserted.
	typ types.Type
	// cached is set for objects that a cache hands out.
	cached bool
	// place is where the program gets it.
	place token.Pos
	// hints are values that tell the kinds of objects without typ, such as the informer of a handler.
	hints []ssa.Value
	// derived are the roots of asserted types, by type.
	derived map[*types.Named]*root
	// aliases are the objects whose parts were stored here.
	aliases map[alias]bool
	labels  map[string]*label
}

// alias records that the data at a path are those of a label.
type alias struct {
	path string
	of   *label
}

// label is what a value can be: the data at a path of a root, or a pointer to it; a function; or memory of
// a struct that is no API data. Labels are compared by pointers.
type label struct {
	root   *root
	parent *label // of the path without its last element; nil for the whole root
	path   string
	typ    types.Type // of the data, without pointers; nil if root.typ is

	fn       *ssa.Function
	holder   *types.Named
	informer *types.Named // the value is an informer, store or indexer of the kind
}

// whole returns the label of the root itself.
func (r *root) whole() *label {
	if l := r.labels[""]; l != nil {
		return l
	}
	l := &label{root: r}
	if r.typ != nil {
		l.typ = pointee(r.typ)
	}
	r.labels = map[string]*label{"": l}
	return l
}

// as returns the root of the objects of a kind among those of unknown kinds.
func (r *root) as(kind *types.Named) *root {
	d := r.derived[kind]
	if d == nil {
		d = &root{typ: kind, cached: r.cached, place: r.place}
		if r.derived == nil {
			r.derived = map[*types.Named]*root{}
		}
		r.derived[kind] = d
	}
	return d
}

// child returns the label of a field. The name is empty for the fields of an inlined struct, and for items.
func (l *label) child(name string, typ types.Type) *label {
	path := join(l.path, name)
	key := path
	if name == "" {
		key = path + "\x00" + typ.String() // same path, another type
	}
	if c := l.root.labels[key]; c != nil {
		return c
	}
	c := &label{root: l.root, parent: l, path: path, typ: pointee(typ)}
	l.root.labels[key] = c
	return c
}

// around returns the closest label above that has the type, as in recursive types; nil if there is none.
func (l *label) around(typ types.Type) *label {
	n := named(typ)
	for a := l; n != nil && a != nil; a = a.parent {
		if an := named(a.typ); an == n {
			return a
		}
	}
	return nil
}

func join(path, name string) string {
	switch {
	case name == "":
		return path
	case path == "":
		return name
	}
	return path + "." + name
}

// below returns the rest of a path that is at or below another one.
func below(path, above string) (rest string, ok bool) {
	if above == "" || path == above {
		return strings.TrimPrefix(path, above), true
	}
	return strings.CutPrefix(path, above+".")
}

// event is something that a program does with the data of a label.
type event struct {
	label *label
	// presence is set if only it matters whether there are any data.
	presence bool
	// path is below the label, for functions that are known to read it.
	path string
	pos  token.Pos
	// reason says how the data are read as a whole; empty for a read of a field.
	reason string
}
