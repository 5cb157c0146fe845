package sharing

import (
	"hash/maphash"
	"math"
	"reflect"
	"sync"

	"github.com/listwatch/listwatch/runtime/cache"
)

// TableSize is the number of parts that a transform remembers.
const TableSize = 1 << 14

// Transform returns a transform that makes objects share equal parts. It modifies the objects, which must be
// pointers and not be used elsewhere yet; this is true in informers. It never fails. It is safe for concurrent
// use, and several informers can use the same one.
func Transform() cache.TransformFunc {
	t := &table{seed: maphash.MakeSeed(), buckets: make([]bucket, TableSize/bucketSize)}
	return func(obj any) (any, error) {
		if v := reflect.ValueOf(obj); v.Kind() == reflect.Pointer && !v.IsNil() {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.walk(v.Elem())
		}
		return obj, nil
	}
}

// table remembers parts.
type table struct {
	seed    maphash.Seed
	mu      sync.Mutex // guards buckets
	buckets []bucket   // by hash
}

// bucketSize is the number of parts in a bucket. With one, two parts that are in all objects would take turns at the same
// place, and not be shared, in one of some hundred tables.
const bucketSize = 4

// bucket has the parts of similar hashes, the newest first.
type bucket [bucketSize]struct {
	hash  uint64
	value reflect.Value // the zero Value if there is none
}

// shared returns an earlier part that is equal to v, or remembers v and returns it.
func (t *table) shared(v reflect.Value, hash uint64) reflect.Value {
	b := &t.buckets[hash%uint64(len(t.buckets))]
	for i := range b {
		known := b[i].value
		if known.IsValid() && b[i].hash == hash && known.Type() == v.Type() && reflect.DeepEqual(known.Interface(), v.Interface()) {
			return known
		}
	}
	// A copy of the reference, so that the rest of the object can be collected.
	held := reflect.New(v.Type()).Elem()
	held.Set(v)
	if v.Kind() == reflect.Slice {
		held.SetCap(v.Len()) // so that append copies
	}
	copy(b[1:], b[:])
	b[0].hash, b[0].value = hash, held
	return held
}

// walk replaces the parts of v, the innermost first, and v itself if it is a part. It returns a hash of v's
// content. Parts that cannot be set are unchanged.
func (t *table) walk(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		switch {
		case v.IsNil():
			return 0
		case !v.CanSet():
			return uint64(v.Pointer()) // of an unexported field, whose content is not accessible
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		hash := uint64(v.NumField())
		for i := range v.NumField() {
			hash = mix(hash, t.walk(v.Field(i)))
		}
		return hash
	case reflect.Array:
		hash := uint64(v.Len())
		for i := range v.Len() {
			hash = mix(hash, t.walk(v.Index(i)))
		}
		return hash
	case reflect.Pointer:
		return t.part(v, mix(1, t.walk(v.Elem())))
	case reflect.Interface:
		return t.walkInterface(v)
	case reflect.Slice:
		return t.walkSlice(v)
	case reflect.Map:
		return t.walkMap(v)
	default:
		return t.scalar(v)
	}
}

// part replaces v by an equal part and returns its hash.
func (t *table) part(v reflect.Value, hash uint64) uint64 {
	v.Set(t.shared(v, hash))
	return hash
}

func (t *table) walkSlice(v reflect.Value) uint64 {
	if v.Len() == 0 {
		return 0 // nil and empty differ, and neither takes much memory
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return t.part(v, maphash.Bytes(t.seed, v.Bytes()))
	}
	hash := uint64(v.Len())
	for i := range v.Len() {
		hash = mix(hash, t.walk(v.Index(i)))
	}
	return t.part(v, hash)
}

// walkMap adds up the hashes of the entries, whose order is random.
func (t *table) walkMap(v reflect.Value) uint64 {
	if v.Len() == 0 {
		return 0
	}
	elem := v.Type().Elem()
	scratch := reflect.New(elem).Elem() // a settable copy of a value
	inner := mayHoldParts(elem)
	hash := uint64(v.Len())
	for members := v.MapRange(); members.Next(); {
		member := members.Value()
		if inner {
			scratch.Set(member)
			member = scratch
		}
		hash += mix(t.walk(members.Key()), t.walk(member))
		if inner {
			v.SetMapIndex(members.Key(), member)
		}
	}
	return t.part(v, hash)
}

// walkInterface handles the values of untyped JSON: maps, slices and scalars.
func (t *table) walkInterface(v reflect.Value) uint64 {
	if v.IsNil() {
		return 0
	}
	inner := v.Elem()
	if !v.CanSet() || !mayHoldParts(inner.Type()) {
		return t.walk(inner)
	}
	held := reflect.New(inner.Type()).Elem()
	held.Set(inner)
	hash := t.walk(held)
	v.Set(held)
	return hash
}

// mayHoldParts reports whether values of a type can have parts that can be set.
func mayHoldParts(typ reflect.Type) bool {
	switch typ.Kind() {
	case reflect.Map, reflect.Slice, reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Array:
		return true
	default:
		return false
	}
}

func (t *table) scalar(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.String:
		return maphash.String(t.seed, v.String())
	case reflect.Bool:
		if v.Bool() {
			return 2
		}
		return 1
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(v.Float())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return uint64(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return v.Uint()
	default:
		return 0 // channels and functions, which API objects never contain
	}
}

// mix returns a hash of two hashes that depends on their order.
func mix(a, b uint64) uint64 {
	a ^= b + 0x9e3779b97f4a7c15 + a<<6 + a>>2
	a ^= a >> 33
	return a * 0xff51afd7ed558ccd
}
