package protobuf

import "math"

// How values are encoded.
const (
	asVarint = 0
	as64     = 1
	asBytes  = 2
	as32     = 5
)

// tag returns a tag of one byte: the number of a field, and how its value is encoded.
func tag(field, encoding byte) byte { return field<<3 | encoding }

// bad is the position that stands for a fallback.
const bad = -1

// varint returns the number at i, and the position after it.
func varint(text []byte, i int) (n uint64, next int) {
	for shift := uint(0); shift < 64 && i < len(text); shift += 7 {
		b := text[i]
		i++
		n |= uint64(b&0x7F) << shift
		if b < 0x80 {
			return n, i
		}
	}
	return 0, bad
}

// content returns the bytes whose length is at i, as a part of the text, and the position after them.
func content(text []byte, i int) (b []byte, next int) {
	if i >= len(text) {
		return nil, bad
	}
	n := uint64(text[i])
	if i++; n >= 0x80 {
		if n, i = varint(text, i-1); i < 0 {
			return nil, bad
		}
	}
	if n > uint64(len(text)-i) {
		return nil, bad
	}
	next = i + int(n)
	return text[i:next:next], next
}

// skip returns the position after the value at i of an unknown field with that tag. Groups need a fallback.
func skip(text []byte, i int, tag uint64) (next int) {
	if tag>>3 == 0 || tag>>3 > math.MaxInt32 {
		return bad
	}
	switch tag & 7 {
	case asVarint:
		_, next = varint(text, i)
		return next
	case asBytes:
		_, next = content(text, i)
		return next
	case as64:
		next = i + 8
	case as32:
		next = i + 4
	default:
		return bad
	}
	if next > len(text) {
		return bad
	}
	return next
}

// envelope is the content of a [runtime.Unknown], as parts of the text.
type envelope struct{ typeMeta, raw []byte }

// readEnvelope reads an envelope with each field at most once, and with the object.
func readEnvelope(text []byte) (e envelope, ok bool) {
	seen := 0
	for i := 0; i < len(text); {
		t := text[i]
		var value []byte
		if value, i = content(text, i+1); i < 0 {
			return e, false
		}
		switch t {
		case tag(1, asBytes):
			e.typeMeta = value
		case tag(2, asBytes):
			e.raw = value
		case tag(3, asBytes), tag(4, asBytes): // content encoding and type, which decoders ignore
		default:
			return e, false
		}
		if bit := 1 << (t >> 3); seen&bit == 0 {
			seen |= bit
		} else {
			return e, false
		}
	}
	return e, seen&(1<<2) != 0
}

func readTypeMeta(text []byte) (apiVersion, kind []byte, ok bool) {
	for i := 0; i < len(text); {
		t := text[i]
		var value []byte
		if value, i = content(text, i+1); i < 0 {
			return nil, nil, false
		}
		switch t {
		case tag(1, asBytes):
			apiVersion = value
		case tag(2, asBytes):
			kind = value
		default:
			return nil, nil, false
		}
	}
	return apiVersion, kind, true
}
