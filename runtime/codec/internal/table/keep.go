package table

import (
	"slices"

	"github.com/listwatch/listwatch/runtime/codec/internal/fields"
)

// Keep returns a table like t that decodes what n has, and skips everything else, which then may be any JSON. It returns
// nil if t cannot be changed so, since n leads into fields that the exact decoder decodes, or types that decode themselves.
func (t *Table) Keep(n *fields.Node) *Table {
	if len(t.unsupported) > 0 {
		return nil
	}
	made := *t
	made.cut = true
	made.fields = slices.Clone(t.fields)
	for i := range made.fields {
		f := &made.fields[i]
		child, kept := n.Child(f.name())
		switch {
		case !kept:
			f.value = value{op: opSkip, slot: f.slot, typ: f.typ, size: f.size}
		case child != nil && !f.keep(child):
			return nil
		}
	}
	return &made
}

// keep changes v, a copy, to decode what n has of it. It returns false if it cannot.
func (v *value) keep(n *fields.Node) bool {
	switch v.op {
	case opStruct:
		v.sub = v.sub.Keep(n)
		return v.sub != nil
	case opSlice, opManaged, opMap, opPointer:
		elem := *v.elem
		v.elem = &elem
		return elem.keep(n)
	case opStringMap:
		v.op = opInitialEvents
		return n == fields.InitialEvents
	}
	return false
}

// HasMetadata reports whether the struct has an ObjectMeta as API objects have.
func (t *Table) HasMetadata() bool { return t.metadata > 0 }

// Kept is what is decoded of untyped objects.
type Kept struct {
	Object, Metadata *fields.Node
	// Mark is a string, which becomes the selfLink.
	Mark any
}
