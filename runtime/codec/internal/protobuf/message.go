package protobuf

import (
	"reflect"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// deepest is the depth from which on there is a doubt.
const deepest = 64

// message decodes text into the struct at p. It returns false if there is a doubt.
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
		if v.elem.op != opString && *memory.As[*byte](p) != nil {
			return false // it is merged
		}
		to := memory.New(v.elem.typ)
		p.Point(to)
		return s.value(v.elem, to, text)
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

// count returns how many values with that tag follow each other. The first one begins at i, after its tag.
func count(text []byte, i int, tag uint64) (n int) {
	for i >= 0 {
		n++
		if _, i = content(text, i); i < 0 || i >= len(text) {
			break
		}
		var next uint64
		if next, i = varint(text, i); next != tag {
			break
		}
	}
	return n
}

// run decodes the values of a repeated field that follow each other. It doubts those that follow after others.
func (s *session) run(f *field, p memory.Place, text []byte, i int, tag uint64) (after int) {
	n := count(text, i, tag)
	switch f.op {
	case opStringMap:
		if s.share && s.recall != nil {
			return s.sharedMap(&f.value, memory.As[map[string]string](p), text, i, n)
		}
		return entries(s, memory.As[map[string]string](p), text, i, n, func(value []byte) (string, bool) { return s.text(f.elem, value), true })
	case opQuantityMap:
		return entries(s, memory.As[map[string]resource.Quantity](p), text, i, n, s.quantity)
	case opBytesMap:
		return entries(s, memory.As[map[string][]byte](p), text, i, n, func(value []byte) ([]byte, bool) { return append([]byte{}, value...), true })
	case opMap:
		return s.mapping(&f.value, p, text, i, n)
	}
	if len(*memory.As[[]struct{}](p)) > 0 {
		return bad
	}
	array := f.arrays.New(n)
	p.SetSlice(array, n, n)
	for k := range n {
		if k > 0 {
			_, i = varint(text, i)
		}
		var value []byte
		if value, i = content(text, i); i < 0 {
			return bad
		}
		to := array.At(uintptr(k) * f.elem.size)
		switch {
		case f.op == opStrings:
			*memory.As[string](to) = s.text(f.elem, value)
		case f.objects:
			if !s.item(f.elem.sub, to, value) {
				return bad
			}
		default:
			if !s.value(f.elem, to, value) {
				return bad
			}
		}
	}
	return i
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

// entry returns the key and the value of an entry: they must be this.
func entry(text []byte) (key, value []byte, ok bool) {
	if len(text) == 0 || text[0] != tag(1, asBytes) {
		return nil, nil, false
	}
	key, i := content(text, 1)
	if i < 0 || i >= len(text) || text[i] != tag(2, asBytes) {
		return nil, nil, false
	}
	value, i = content(text, i+1)
	return key, value, i == len(text)
}

// entries decodes n entries of a map.
func entries[V any](s *session, m *map[string]V, text []byte, i, n int, decode func([]byte) (V, bool)) (after int) {
	if *m != nil {
		return bad
	}
	made := make(map[string]V, n)
	for k := range n {
		if k > 0 {
			_, i = varint(text, i)
		}
		var both []byte
		if both, i = content(text, i); i < 0 {
			return bad
		}
		key, value, ok := entry(both)
		if !ok {
			return bad
		}
		v, ok := decode(value)
		if !ok {
			return bad
		}
		made[s.key(key)] = v
	}
	*m = made
	return i
}

// sharedMap decodes n entries of a map that objects share.
func (s *session) sharedMap(v *value, m *map[string]string, text []byte, i, n int) (after int) {
	if *m != nil {
		return bad
	}
	for k := range n {
		if k > 0 {
			_, i = varint(text, i)
		}
		var both []byte
		if both, i = content(text, i); i < 0 {
			return bad
		}
		key, value, ok := entry(both)
		if !ok {
			return bad
		}
		s.recall.Add(s.key(key), s.text(v.elem, value))
	}
	*m = s.recall.Map(s.score(v))
	return i
}

// mapping decodes n entries of a map by reflection.
func (s *session) mapping(v *value, p memory.Place, text []byte, i, n int) (after int) {
	m := p.Pointer(v.typ).Elem()
	if !m.IsNil() {
		return bad
	}
	m.Set(reflect.MakeMapWithSize(v.typ, n))
	elem, key := reflect.New(v.elem.typ).Elem(), reflect.New(v.typ.Key()).Elem()
	at := memory.Of(elem.Addr())
	for k := range n {
		if k > 0 {
			_, i = varint(text, i)
		}
		elem.SetZero()
		if v.elem.op == opItself && elem.Kind() == reflect.Slice {
			elem.Set(reflect.MakeSlice(v.elem.typ, 0, 0)) // unlike a field, it is not nil if it is empty
		}
		var both []byte
		if both, i = content(text, i); i < 0 {
			return bad
		}
		name, value, ok := entry(both)
		if !ok || !s.value(v.elem, at, value) {
			return bad
		}
		key.SetString(s.key(name))
		m.SetMapIndex(key, elem)
	}
	return i
}
