package table

import "github.com/listwatch/listwatch/runtime/internal/jsonscan"

// A part that is cut, or is in a view, is found by the text of what is left of it, so that equal ones are one in memory even if
// what was skipped differs, as the times of conditions do. That text is JSON of the same value: it also finds parts that nothing
// was skipped in.

// isCut reports whether fields of the structs in a value are skipped.
func (v *value) isCut() bool {
	switch v.op {
	case opStruct:
		return v.sub.cut
	case opSlice, opPointer:
		return v.elem.isCut()
	}
	return false
}

// appendKept appends the value that begins at i without the members that are skipped. It returns the position after it, or a
// negative one if it is invalid.
func (d *Decoder) appendKept(v *value, to []byte, i int) (_ []byte, next int) {
	b := d.Text
	for v.op == opPointer {
		v = v.elem
	}
	switch {
	case v.op == opStruct && (d.View || v.sub.cut) && b[i] == '{':
		return d.appendMembers(v.sub, to, i)
	case v.op == opSlice && (d.View || v.isCut()) && b[i] == '[':
		to = append(to, '[')
		next = d.Elements(i, func(i int) (next int) {
			if to[len(to)-1] != '[' {
				to = append(to, ',')
			}
			to, next = d.appendKept(v.elem, to, i)
			return next
		})
		return append(to, ']'), next
	}
	if next = jsonscan.Value(b, i); next < 0 {
		return to, next
	}
	return append(to, b[i:next]...), next
}

// appendMembers appends the members of an object that are decoded into a struct of t.
func (d *Decoder) appendMembers(t *Table, to []byte, i int) (_ []byte, next int) {
	to = append(to, '{')
	next = d.Members(i, func(name []byte, hash uint64, i int) (next int) {
		f := t.find(name, hash)
		if f == nil && len(t.unsupported) > 0 {
			return bad // the exact decoder may decode it
		}
		if f == nil || f.op == opSkip {
			return jsonscan.Value(d.Text, i)
		}
		if to[len(to)-1] != '{' {
			to = append(to, ',')
		}
		to, next = d.appendKept(&f.value, append(to, f.literal...), i)
		return next
	})
	return append(to, '}'), next
}
