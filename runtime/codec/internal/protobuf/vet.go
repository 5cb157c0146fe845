package protobuf

import (
	"reflect"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// unknownNumbers is how many numbers after the last one of a type must be unknown to its method.
const unknownNumbers = 16

// agrees reports whether the type's method decodes a sample as the layout does: all fields of the tags, with values
// that differ, the repeated ones twice, and other numbers, which must be unknown to it.
func (t *layout) agrees() bool {
	text := t.sample()
	want, got := reflect.New(t.typ), reflect.New(t.typ)
	if want.Interface().(message).Unmarshal(text) != nil {
		return false
	}
	var s session
	if !s.message(t, memory.Of(got), text) || !reflect.DeepEqual(got.Interface(), want.Interface()) {
		return false
	}
	if r, ok := want.Interface().(resetter); ok {
		r.Reset()
		return want.Elem().IsZero()
	}
	return true
}

func (t *layout) sample() []byte {
	var text []byte
	for number := 1; number < len(t.fields)+unknownNumbers; number++ {
		if number >= len(t.fields) || t.fields[number].op == opNone {
			text = appendBytes(text, number, []byte{tag(1, asVarint), 1})
			continue
		}
		f := &t.fields[number]
		switch f.op {
		case opSlice, opStrings:
			text = f.elem.sample(text, number, 0)
			text = f.elem.sample(text, number, 1)
		case opStringMap, opQuantityMap, opBytesMap, opMap:
			for i := range 2 {
				entry := appendBytes(nil, 1, []byte{'a' + byte(i)})
				text = appendBytes(text, number, f.elem.sample(entry, 2, i))
			}
		default:
			text = f.sample(text, number, 0)
			if f.op == opNumbers {
				text = f.sample(text, number, 1)
			}
		}
	}
	return text
}

// sample appends a field with that number.
func (v *value) sample(text []byte, number, i int) []byte {
	value := []byte{'a' + byte(i), ' ' + byte(number%64)}
	switch v.op {
	case opBool, opInt32, opInt64, opUint32, opUint64, opNumberPtr, opNumbers:
		return append(appendVarint(text, uint64(number)<<3|asVarint), 1)
	case opPointer:
		return v.elem.sample(text, number, i)
	case opMessage:
		value = v.sub.first()
	case opItself:
		value = nil
	case opTime, opTimePtr, opMicroTime:
		value = []byte{tag(1, asVarint), byte(number % 64), tag(2, asVarint), 100}
	case opQuantity:
		value = appendBytes(nil, 1, []byte{'1' + byte(number%9)})
	case opFieldsPtr:
		value = appendBytes(nil, 1, value)
	}
	return appendBytes(text, number, value)
}

// first returns a sample with one field, so that it is not lost.
func (t *layout) first() []byte {
	for number := range t.fields {
		switch f := &t.fields[number]; f.op {
		case opString, opBool, opInt32, opInt64, opUint32, opUint64, opNumberPtr, opBytes, opTimePtr, opPointer:
			if f.elem == nil || f.elem.op != opMessage {
				return f.sample(nil, number, 0)
			}
		case opStrings:
			return f.elem.sample(nil, number, 0)
		}
	}
	return nil
}

func appendVarint(text []byte, n uint64) []byte {
	for ; n >= 0x80; n >>= 7 {
		text = append(text, byte(n)|0x80)
	}
	return append(text, byte(n))
}

func appendBytes(text []byte, number int, value []byte) []byte {
	text = appendVarint(text, uint64(number)<<3|asBytes)
	return append(appendVarint(text, uint64(len(value))), value...)
}
