package table

import (
	"bytes"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// A part is a slice, a map or what a pointer points to.

// part decodes the part that begins at i, or has an equal one that came before, if objects share such ones.
func (d *Decoder) part(v *value, l *learned, p memory.Place, i int) int {
	score := &l.slots[v.slot].score
	if v.kind == nil || !d.Stream.Shares() || !score.Due() {
		return d.newPart(v, l, p, i)
	}
	next := jsonscan.Value(d.Text, i)
	if next < 0 {
		return d.newPart(v, l, p, i)
	}
	raw := d.Text[i:next]
	filtered := d.View || v.isCut()
	if filtered {
		if d.left, next = d.appendKept(v, d.left[:0], i); next < 0 {
			return d.newPart(v, l, p, i)
		}
		raw = d.left
	}
	found := d.Stream.Find(v.kind, raw, score)
	switch {
	case found.Found:
		v.set(p, found.Made, found.Len)
		return next
	case !found.Again:
		return d.newPart(v, l, p, i)
	case filtered:
		raw = bytes.Clone(raw) // the part may have others in it
	}
	before := d.room
	d.room = room{shared: true} // the others keep nothing of this object alive
	next = d.newPart(v, l, p, i)
	d.room = before
	if next >= 0 {
		length := 0
		if v.arrays != nil {
			length = p.Len()
		}
		v.set(p, p.Target(), length)
		d.Stream.Keep(found, v.kind, raw, p.Target(), length)
	}
	return next
}

// set makes the empty value at p the part, of that length if it is a slice.
func (v *value) set(p, part memory.Place, length int) {
	if v.arrays != nil {
		p.SetSlice(part, length, length)
	} else {
		p.Point(part)
	}
}

// newPart decodes the part that begins at i.
func (d *Decoder) newPart(v *value, l *learned, p memory.Place, i int) int {
	switch v.op {
	case opSlice:
		return d.slice(v, l, p, i)
	case opStrings:
		return d.strings(v, l, memory.As[[]string](p), i)
	case opMap:
		return d.mapping(v, l, p, i)
	}
	to := memory.New(v.elem.typ)
	p.Point(to)
	return d.value(v.elem, l, to, i)
}

// markShared sets the kinds of the values in the tables, which are complete.
func markShared(tables []*Table) {
	for again := true; again; {
		again = false
		for _, t := range tables {
			if !t.own && t.hasOwn() {
				t.own, again = true, true
			}
		}
	}
	for _, t := range tables {
		for i := range t.fields {
			for v := &t.fields[i].value; v != nil; v = v.elem {
				if v.isPart() && !v.isOwn() {
					v.kind = intern.KindOf(v.typ)
				}
			}
		}
	}
}

// isPart reports whether v is a part, other than a pointer to a string.
func (v *value) isPart() bool {
	switch v.op {
	case opSlice, opStrings, opMap:
		return true
	case opPointer:
		return v.elem.op != opString
	}
	return false
}

// hasOwn reports whether an object with a struct of t has values of its own in it, as far as that is known.
func (t *Table) hasOwn() bool {
	for i := range t.fields {
		if t.fields[i].isOwn() {
			return true
		}
	}
	return len(t.unsupported) > 0
}

// isOwn reports whether each object has such values of its own: reading one of a type that decodes itself may change it,
// and readers convert untyped ones.
func (v *value) isOwn() bool {
	switch v.op {
	case opItself, opAny, opManaged, opFieldsPtr:
		return true
	case opStruct:
		return v.sub.own
	}
	return v.elem != nil && v.elem.isOwn()
}
