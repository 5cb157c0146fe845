package protobuf

import "reflect"

// check reports whether a message would be decoded, without a fallback and without an error. If it is not sure, it returns false.
func (s *session) check(t *layout, text []byte) bool {
	if t.why != "" {
		return unmarshals(t.typ, text)
	}
	if s.depth++; s.depth > deepest {
		return false
	}
	var seen seenFields
	for i := 0; i < len(text); {
		start := i
		tag := uint64(text[i])
		if i++; tag >= 0x80 {
			if tag, i = varint(text, start); i < 0 {
				return false
			}
		}
		number := tag >> 3
		if number >= uint64(len(t.fields)) || t.fields[number].op == opNone {
			if i = skip(text, i, tag); i < 0 {
				return false
			}
			continue
		}
		f := &t.fields[number]
		if byte(tag&7) != f.wire {
			return false
		}
		if f.op != opString && !f.isNumber() && seen.again(number) {
			return false // it is merged, or continued
		}
		if f.wire == asVarint {
			if i = checkNumber(f, text, i, tag, &seen); i < 0 {
				return false
			}
			continue
		}
		var value []byte
		first := i
		if value, i = content(text, i); i < 0 {
			return false
		}
		if f.managed && s.withoutManaged && s.depth == depthOfMetadata {
			seen.forget(number)
			continue
		}
		switch f.op {
		case opString:
		case opSlice, opStrings, opStringMap, opQuantityMap, opBytesMap, opMap:
			if i = s.checkRun(f, text, first, tag); i < 0 {
				return false
			}
		default:
			if !s.checkValue(&f.value, value) {
				return false
			}
		}
	}
	s.depth--
	return true
}

// seenFields are the numbers of the fields of a message that came.
type seenFields [(mostFields + 64) / 64]uint64

// again reports whether a field came before, and notes it.
func (s *seenFields) again(number uint64) bool {
	word, bit := &s[number/64], uint64(1)<<(number%64)
	before := *word&bit != 0
	*word |= bit
	return before
}

func (s *seenFields) forget(number uint64) { s[number/64] &^= 1 << (number % 64) }

// unmarshals reports whether the method of a type decodes a text.
func unmarshals(t reflect.Type, text []byte) bool {
	m, ok := reflect.New(t).Interface().(message)
	return ok && m.Unmarshal(text) == nil
}

// checkNumber checks a number, or those of a repeated field that follow each other. It returns the position after them.
func checkNumber(f *field, text []byte, i int, tag uint64, seen *seenFields) int {
	o := f.op
	if o == opNumberPtr || o == opNumbers {
		o = f.elem.op
	}
	if f.op == opNumbers && seen.again(tag>>3) {
		return bad
	}
	for {
		n, next := varint(text, i)
		if next < 0 || o == opBool && n > 1 {
			return bad
		}
		if f.op != opNumbers || next == len(text) {
			return next
		}
		following, at := varint(text, next)
		if following != tag {
			return next
		}
		i = at
	}
}

// checkRun checks the values of a repeated field that follow each other. It returns the position after them.
func (s *session) checkRun(f *field, text []byte, i int, tag uint64) (after int) {
	n, after := count(text, i, tag)
	if after < 0 {
		return bad
	}
	text = text[:after]
	switch f.op {
	case opStringMap, opQuantityMap, opBytesMap, opMap:
		for ; n > 0; n-- {
			var value []byte
			if _, value, i = entry(text, i); i < 0 {
				return bad
			}
			ok := true
			switch f.op {
			case opQuantityMap:
				_, ok = s.quantity(value)
			case opMap:
				ok = s.checkValue(f.elem, value)
			}
			if !ok {
				return bad
			}
		}
	default:
		for k := range n {
			if k > 0 {
				_, i = varint(text, i)
			}
			var value []byte
			value, i = content(text, i)
			if f.op != opStrings && !s.checkValue(f.elem, value) {
				return bad
			}
		}
	}
	return after
}

// checkValue checks one value that is encoded as bytes.
func (s *session) checkValue(v *value, text []byte) bool {
	switch v.op {
	case opString, opBytes:
		return true
	case opMessage:
		return s.check(v.sub, text)
	case opPointer:
		return s.checkValue(v.elem, text)
	case opItself:
		return unmarshals(v.typ, text)
	case opTime, opTimePtr, opMicroTime:
		return isTime(text)
	case opQuantity:
		_, ok := s.quantity(text)
		return ok
	case opFieldsPtr:
		if len(text) == 0 {
			return true
		}
		if text[0] != tag(1, asBytes) {
			return false
		}
		raw, end := content(text, 1)
		return end == len(text) && len(raw) > 0
	default:
		return false
	}
}

// isTime reports whether a text is an encoded metav1.Timestamp.
func isTime(text []byte) bool {
	for i := 0; i < len(text); {
		if t := text[i]; t != tag(1, asVarint) && t != tag(2, asVarint) {
			return false
		}
		if _, i = varint(text, i+1); i < 0 {
			return false
		}
	}
	return true
}
