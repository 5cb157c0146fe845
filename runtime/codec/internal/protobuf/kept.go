package protobuf

// A value that is cut is found by the text of what is left of it, so that equal ones are one in memory even if what was
// skipped differs, as the times of conditions do.

// cut returns the layout of a value, or of what its pointers and slices lead to, if fields are skipped there; otherwise nil.
func (v *value) cut() *layout {
	switch v.op {
	case opMessage:
		if v.sub.cut {
			return v.sub
		}
	case opPointer, opSlice:
		return v.elem.cut()
	}
	return nil
}

// appendKept appends the text of what is decoded of a slice or of what a pointer points to, for [session.find]. Equal texts
// have equal values. It returns false if the value cannot be decoded.
func (v *value) appendKept(to, text []byte) ([]byte, bool) {
	t := v.cut()
	if v.op == opPointer {
		return t.appendKept(to, text)
	}
	ok := true
	for i := 0; i < len(text) && ok; {
		if i > 0 {
			_, i = varint(text, i)
		}
		var value []byte
		value, i = content(text, i) // count has checked it
		to, ok = t.appendKept(to, value)
	}
	return to, ok
}

// appendKept appends the fields of a message that are decoded, and an end, which is not the tag of a field.
func (t *layout) appendKept(to, text []byte) (_ []byte, ok bool) {
	for i := 0; i < len(text); {
		start := i
		var tag uint64
		if tag, i = varint(text, i); i < 0 {
			return to, false
		}
		number := tag >> 3
		if number >= uint64(len(t.fields)) || t.fields[number].op == opNone {
			if i = skip(text, i, tag); i < 0 {
				return to, false
			}
			continue
		}
		f := &t.fields[number]
		sub := f.cut()
		first := i
		switch {
		case byte(tag&7) != f.wire:
			return to, false
		case sub != nil:
			var value []byte
			if value, i = content(text, i); i < 0 {
				return to, false
			}
			if to, ok = sub.appendKept(append(to, text[start:first]...), value); !ok {
				return to, false
			}
			continue
		case f.wire == asVarint:
			_, i = varint(text, i)
		default:
			_, i = content(text, i)
		}
		if i < 0 {
			return to, false
		}
		to = append(to, text[start:i]...)
	}
	return append(to, 0), true
}
