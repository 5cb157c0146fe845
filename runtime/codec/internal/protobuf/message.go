package protobuf

import (
	"reflect"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/listwatch/listwatch/runtime/codec/internal/fields"
	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// deepest is the depth from which on there is a fallback.
const deepest = 64

// depthOfMetadata is the depth of an object's metadata.
const depthOfMetadata = 2

// message decodes text into the struct at p. It returns false if it falls back.
func (s *session) message(t *layout, p memory.Place, text []byte) bool {
	if t.why != "" {
		return p.Pointer(t.typ).Interface().(message).Unmarshal(text) == nil
	}
	if s.depth++; s.depth > deepest {
		return false
	}
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
		at := p.At(f.offset)
		if f.wire == asVarint {
			if i = s.number(f, at, text, i, tag); i < 0 {
				return false
			}
			continue
		}
		var value []byte
		first := i
		if value, i = content(text, i); i < 0 {
			return false
		}
		if f.managed && s.withoutManaged && s.depth == depthOfMetadata || f.initialEvents && !fields.HasInitialEvents(value) {
			continue
		}
		switch f.op {
		case opString:
			*memory.As[string](at) = s.text(&f.value, value)
		case opSlice, opStrings, opStringMap, opQuantityMap, opBytesMap, opMap:
			if i = s.run(f, at, text, first, tag); i < 0 {
				return false
			}
		default:
			if !s.value(&f.value, at, value) {
				return false
			}
		}
	}
	s.depth--
	return true
}

// number decodes numbers.
func (s *session) number(f *field, p memory.Place, text []byte, i int, tag uint64) int {
	n, next := varint(text, i)
	if next < 0 {
		return bad
	}
	switch f.op {
	case opNumberPtr:
		to := s.arena.Place(int(f.elem.size))
		p.Point(to)
		if !set(f.elem.op, to, n) {
			return bad
		}
	case opNumbers:
		return s.numbers(f, p, text, i, tag)
	default:
		if !set(f.op, p, n) {
			return bad
		}
	}
	return next
}

// set sets a number.
func set(o op, p memory.Place, n uint64) bool {
	switch o {
	case opBool:
		*memory.As[bool](p) = n == 1
		return n <= 1 // of others, the result may depend on the size of an int
	case opInt32:
		*memory.As[int32](p) = int32(n)
	case opInt64:
		*memory.As[int64](p) = int64(n)
	case opUint32:
		*memory.As[uint32](p) = uint32(n)
	case opUint64:
		*memory.As[uint64](p) = n
	}
	return true
}

// value decodes one value that is encoded as bytes.
func (s *session) value(v *value, p memory.Place, text []byte) bool {
	switch v.op {
	case opString:
		*memory.As[string](p) = s.text(v, text)
	case opMessage:
		return s.message(v.sub, p, text)
	case opPointer:
		return s.pointer(v, p, text)
	case opBytes:
		*memory.As[[]byte](p) = append([]byte{}, text...)
	case opItself:
		return p.Pointer(v.typ).Interface().(message).Unmarshal(text) == nil
	case opTime, opTimePtr, opMicroTime:
		return s.time(v.op, p, text)
	case opQuantity:
		if len(text) > 0 {
			q, ok := s.quantity(text)
			*memory.As[resource.Quantity](p) = q
			return ok
		}
	case opFieldsPtr:
		return s.fieldsV1(p, text)
	default:
		return false
	}
	return true
}

// pointer decodes what a pointer points to.
func (s *session) pointer(v *value, p memory.Place, text []byte) bool {
	if v.elem.op != opString && !p.Target().IsNil() {
		return false // it is merged
	}
	found, by := s.find(v, text)
	if found.Found {
		p.Point(found.Made)
		return true
	}
	to := memory.New(v.elem.typ)
	p.Point(to)
	if found.Again {
		return s.keep(found, v, p, by, func() bool { return s.value(v.elem, to, text) })
	}
	return s.value(v.elem, to, text)
}

// count returns how many values with that tag follow each other, and the position after them. The first one begins at i,
// after its tag.
func count(text []byte, i int, tag uint64) (n, after int) {
	for {
		n++
		if _, after = content(text, i); after < 0 || after == len(text) {
			return n, after
		}
		var next uint64
		if next, i = varint(text, after); next != tag {
			return n, after
		}
	}
}

// run decodes the values of a repeated field that follow each other. It falls back for those that follow after others.
func (s *session) run(f *field, p memory.Place, text []byte, i int, tag uint64) (after int) {
	n, after := count(text, i, tag)
	if after < 0 || !p.Target().IsNil() {
		return bad
	}
	raw := text[i:after]
	ok := false
	switch found, by := s.find(&f.value, raw); {
	case found.Found && f.arrays != nil:
		p.SetSlice(found.Made, n, n)
		return after
	case found.Found:
		p.Point(found.Made)
		return after
	case found.Again:
		ok = s.keep(found, &f.value, p, by, func() bool { return s.values(f, p, raw, n) })
	default:
		ok = s.values(f, p, raw, n)
	}
	if !ok {
		return bad
	}
	return after
}

// values decodes n values of a repeated field. The text begins after the tag of the first.
func (s *session) values(f *field, p memory.Place, text []byte, n int) bool {
	switch f.op {
	case opStringMap:
		return entries(s, memory.As[map[string]string](p), text, n, func(value []byte) (string, bool) { return s.text(f.elem, value), true })
	case opQuantityMap:
		return entries(s, memory.As[map[string]resource.Quantity](p), text, n, s.quantity)
	case opBytesMap:
		return entries(s, memory.As[map[string][]byte](p), text, n, func(value []byte) ([]byte, bool) { return append([]byte{}, value...), true })
	case opMap:
		return s.mapping(&f.value, p, text, n)
	}
	array := f.arrays.New(n)
	p.SetSlice(array, n, n)
	for k, i := 0, 0; k < n; k++ {
		if k > 0 {
			_, i = varint(text, i)
		}
		var value []byte
		value, i = content(text, i) // count has checked it
		to := array.At(uintptr(k) * f.elem.size)
		switch {
		case f.op == opStrings:
			*memory.As[string](to) = s.text(f.elem, value)
		case f.objects:
			if !s.item(f.elem.sub, to, value) {
				return false
			}
		default:
			if !s.value(f.elem, to, value) {
				return false
			}
		}
	}
	return true
}

// item decodes an item of a list: nothing of it lives as long as others.
func (s *session) item(t *layout, p memory.Place, text []byte) bool {
	s.begin(&t.expected)
	ok := s.message(t, p, text)
	s.end()
	return ok
}

// numbers decodes a slice of numbers that follow each other, none of them packed.
func (s *session) numbers(f *field, p memory.Place, text []byte, i int, tag uint64) (after int) {
	if len(*memory.As[[]struct{}](p)) > 0 {
		return bad
	}
	n := 0
	for at := i; ; {
		n++
		if _, at = varint(text, at); at < 0 {
			return bad
		}
		if at == len(text) {
			break
		}
		var next uint64
		if next, at = varint(text, at); next != tag {
			break
		}
	}
	array := f.arrays.New(n)
	p.SetSlice(array, n, n)
	for k := range n {
		if k > 0 {
			_, i = varint(text, i)
		}
		var number uint64
		if number, i = varint(text, i); i < 0 || !set(f.elem.op, array.At(uintptr(k)*f.elem.size), number) {
			return bad
		}
	}
	return i
}

// entry returns the key and the value of an entry of a map that begins at i, after its tag, and the position after the
// tag of the next one. It returns a negative one if the entry is not a key and a value.
func entry(text []byte, i int) (key, value []byte, next int) {
	both, next := content(text, i)
	if next < 0 || len(both) == 0 || both[0] != tag(1, asBytes) {
		return nil, nil, bad
	}
	key, i = content(both, 1)
	if i < 0 || i >= len(both) || both[i] != tag(2, asBytes) {
		return nil, nil, bad
	}
	if value, i = content(both, i+1); i != len(both) {
		return nil, nil, bad
	}
	if next < len(text) {
		_, next = varint(text, next)
	}
	return key, value, next
}

// entries decodes n entries of a map.
func entries[V any](s *session, m *map[string]V, text []byte, n int, decode func([]byte) (V, bool)) bool {
	made := make(map[string]V, n)
	for i := 0; n > 0; n-- {
		var key, value []byte
		if key, value, i = entry(text, i); i < 0 {
			return false
		}
		v, ok := decode(value)
		if !ok {
			return false
		}
		made[s.key(key)] = v
	}
	*m = made
	return true
}

// mapping decodes n entries of a map by reflection.
func (s *session) mapping(v *value, p memory.Place, text []byte, n int) bool {
	made := reflect.MakeMapWithSize(v.typ, n)
	elem, key := reflect.New(v.elem.typ).Elem(), reflect.New(v.typ.Key()).Elem()
	at := memory.Of(elem.Addr())
	for i := 0; n > 0; n-- {
		elem.SetZero()
		if v.elem.op == opItself && elem.Kind() == reflect.Slice {
			elem.Set(reflect.MakeSlice(v.elem.typ, 0, 0)) // unlike a field, it is not nil if it is empty
		}
		var name, value []byte
		if name, value, i = entry(text, i); i < 0 || !s.value(v.elem, at, value) {
			return false
		}
		key.SetString(s.key(name))
		made.SetMapIndex(key, elem)
	}
	p.SetMap(made)
	return true
}
