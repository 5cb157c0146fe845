package protobuf

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/fields"
	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
)

// Kept is what is decoded of objects. Everything else is skipped, unchecked.
type Kept struct {
	Object *fields.Node
	// Mark becomes the selfLink of objects of which something may be skipped.
	Mark string

	layouts sync.Map // *layout to *layout
}

// of returns the layout that decodes objects of t: one that skips what is not kept, or t, if they are not API objects, or
// if what a method decodes is kept in part.
func (k *Kept) of(t *layout) *layout {
	if k == nil {
		return t
	}
	if known, ok := k.layouts.Load(t); ok {
		return known.(*layout)
	}
	made := t
	if reflect.PointerTo(t.typ).Implements(reflect.TypeFor[metav1.Object]()) {
		if cut := t.keep(k.Object); cut != nil {
			made = cut
		}
	}
	k.layouts.Store(t, made)
	return made
}

// mark marks an object that the layout decoded, unless it is t, the one of its type.
func (k *Kept) mark(obj any, by, t *layout) {
	if by != t {
		obj.(metav1.Object).SetSelfLink(k.Mark)
	}
}

// keep returns a layout like t that skips what n has not, or nil if there is none.
func (t *layout) keep(n *fields.Node) *layout {
	if t.why != "" {
		return nil
	}
	made := &layout{typ: t.typ, fields: slices.Clone(t.fields), cut: true}
	for i := range t.typ.NumField() {
		sf := t.typ.Field(i)
		tag := strings.Split(sf.Tag.Get("protobuf"), ",")
		if len(tag) < 2 {
			continue
		}
		number, err := strconv.Atoi(tag[1])
		if err != nil || number >= len(made.fields) {
			return nil
		}
		f := &made.fields[number]
		child, kept := n, true
		if name := fields.NameOf(sf); name != "" {
			child, kept = n.Child(name)
		}
		switch {
		case !kept:
			f.op = opNone
		case child == fields.InitialEvents:
			f.initialEvents = true
		case child != nil && !f.keep(child):
			return nil
		}
	}
	return made
}

// keep changes v, a copy, to decode what n has of it. It returns false if it cannot.
func (v *value) keep(n *fields.Node) bool {
	switch v.op {
	case opMessage:
		v.sub = v.sub.keep(n)
		return v.sub != nil
	case opSlice, opMap, opPointer:
		elem := *v.elem
		v.elem = &elem
		if !elem.keep(n) {
			return false
		}
		if v.kind != nil {
			v.kind = nil // elsewhere, values with the same text have all fields
			if v.cut() != nil {
				v.kind = intern.CutKindOf(v.typ, v.score)
			}
		}
		return true
	}
	return false
}
