package delta

import (
	"bytes"
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
)

// SameState reports whether two objects are the same object, or the same state of one: UID,
// resource version and content are equal. UID and resource version alone do not suffice: a new
// default, another conversion or a restored etcd change what a server returns without a write.
func SameState(a, b any) bool {
	if IsPointer(a) && IsPointer(b) && a == b {
		return true
	}
	if packed, ok := a.(*packing.Object); ok {
		if other, ok := b.(*packing.Object); ok {
			return packing.Same(packed, other)
		}
	}
	a, b = packing.Open(a), packing.Open(b)
	x, y := MetadataOf(a), MetadataOf(b)
	return x != nil && y != nil && SameVersion(x, y) && sameContent(a, b)
}

// SameVersion reports whether two objects have the same UID and resource version. An object without
// one of them is different from all others.
func SameVersion(a, b metav1.Object) bool {
	return a.GetUID() != "" && a.GetUID() == b.GetUID() &&
		a.GetResourceVersion() != "" && a.GetResourceVersion() == b.GetResourceVersion()
}

// sameContent reports whether two objects are equal; nil and empty are different. The TypeMeta of
// the objects is ignored, because lists of custom resources set it and watches do not.
//
// One of the objects may be in use elsewhere. Types such as [resource.Quantity] and protobuf
// messages cache something in themselves when they are read, so unexported fields are not read:
// types that have some are compared by their encoding.
func sameContent(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if !x.IsValid() || !y.IsValid() || x.Type() != y.Type() {
		return x.IsValid() == y.IsValid() && !x.IsValid()
	}
	if x.Kind() != reflect.Pointer || x.IsNil() || y.IsNil() || x.Elem().Kind() != reflect.Struct {
		return sameValue(x, y, 0)
	}
	return sameStruct(x.Elem(), y.Elem(), 0)
}

// maxDepth bounds the depth of comparisons, so that cycles end. API servers accept less.
const maxDepth = 10_000

// sameValue compares two values of one type. Values that are nested too deeply count as different.
func sameValue(a, b reflect.Value, depth int) bool {
	if depth++; depth > maxDepth {
		return false
	}
	switch a.Kind() {
	case reflect.String:
		return a.String() == b.String()
	case reflect.Struct:
		return sameStruct(a, b, depth)
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() || a.UnsafePointer() == b.UnsafePointer() {
			return a.UnsafePointer() == b.UnsafePointer()
		}
		return sameValue(a.Elem(), b.Elem(), depth)
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		a, b = a.Elem(), b.Elem()
		return a.Type() == b.Type() && sameValue(a, b, depth)
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		if a.UnsafePointer() == b.UnsafePointer() {
			return true
		}
		if a.Type().Elem().Kind() == reflect.Uint8 {
			return bytes.Equal(a.Bytes(), b.Bytes())
		}
		return sameElements(a, b, depth)
	case reflect.Array:
		return sameElements(a, b, depth)
	case reflect.Map:
		return sameMap(a, b, depth)
	case reflect.Func:
		return a.IsNil() && b.IsNil()
	default:
		return a.Equal(b)
	}
}

// sameElements compares slices and arrays of one length.
func sameElements(a, b reflect.Value, depth int) bool {
	for i := range a.Len() {
		if !sameValue(a.Index(i), b.Index(i), depth) {
			return false
		}
	}
	return true
}

func sameMap(a, b reflect.Value, depth int) bool {
	if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
		return false
	}
	if a.UnsafePointer() == b.UnsafePointer() {
		return true
	}
	switch x := a.Interface().(type) {
	case map[string]string:
		return maps.Equal(x, b.Interface().(map[string]string))
	case map[string]any: // of unstructured objects
		return sameTree(x, b.Interface(), depth)
	}
	for entries := a.MapRange(); entries.Next(); {
		other := b.MapIndex(entries.Key())
		if !other.IsValid() || !sameValue(entries.Value(), other, depth) {
			return false
		}
	}
	return true
}

// sameTree compares the values in unstructured objects.
func sameTree(a, b any, depth int) bool {
	if depth++; depth > maxDepth {
		return false
	}
	switch x := a.(type) {
	case nil:
		return b == nil
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) || (x == nil) != (y == nil) {
			return false
		}
		for key, value := range x {
			other, ok := y[key]
			if !ok || !sameTree(value, other, depth) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) || (x == nil) != (y == nil) {
			return false
		}
		for i := range x {
			if !sameTree(x[i], y[i], depth) {
				return false
			}
		}
		return true
	case string, int64, float64, bool:
		return a == b
	}
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	return y.IsValid() && x.Type() == y.Type() && sameValue(x, y, depth)
}

// sameStruct compares structs of one type; depth is 0 for the objects themselves.
func sameStruct(a, b reflect.Value, depth int) bool {
	t := a.Type()
	plan := planOf(t)
	if plan.same != nil {
		return plan.same(addressed(a), addressed(b))
	}
	for _, i := range plan.fields {
		if depth == 0 && i == plan.typeMeta {
			continue
		}
		if !sameValue(a.Field(i), b.Field(i), depth) {
			return false
		}
	}
	return true
}

// addressed returns a pointer to a struct.
func addressed(v reflect.Value) any {
	if !v.CanAddr() {
		p := reflect.New(v.Type()).Elem()
		p.Set(v)
		v = p
	}
	return v.Addr().Interface()
}

// structPlan is how to compare structs of a type: by a function of pointers to them, or by
// fields.
type structPlan struct {
	same     func(a, b any) bool // or nil
	fields   []int
	typeMeta int // the field that is an embedded TypeMeta, or -1
}

var structPlans sync.Map // reflect.Type to *structPlan

func planOf(t reflect.Type) *structPlan {
	if plan, ok := structPlans.Load(t); ok {
		return plan.(*structPlan)
	}
	plan, _ := structPlans.LoadOrStore(t, newStructPlan(t))
	return plan.(*structPlan)
}

func newStructPlan(t reflect.Type) *structPlan {
	switch t {
	case reflect.TypeFor[time.Time]():
		return &structPlan{same: sameTime}
	case reflect.TypeFor[resource.Quantity]():
		return &structPlan{same: sameQuantity}
	}
	plan := &structPlan{typeMeta: -1}
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.Name == "_":
			continue
		case !f.IsExported():
			return &structPlan{same: sameEncoding(t)}
		case f.Anonymous && f.Type == reflect.TypeFor[metav1.TypeMeta]():
			plan.typeMeta = i
		}
		plan.fields = append(plan.fields, i)
	}
	return plan
}

// sameTime compares two times and their offsets from UTC, but not cached values in them.
func sameTime(a, b any) bool {
	x, y := a.(*time.Time), b.(*time.Time)
	_, here := x.Zone()
	_, there := y.Zone()
	return x.Equal(*y) && here == there
}

// sameQuantity compares the encoded values of two quantities, without the text that String caches
// in them.
func sameQuantity(a, b any) bool {
	x, y := a.(*resource.Quantity), b.(*resource.Quantity)
	var here, there [64]byte
	number, suffix := x.CanonicalizeBytes(here[:0])
	otherNumber, otherSuffix := y.CanonicalizeBytes(there[:0])
	return bytes.Equal(number, otherNumber) && bytes.Equal(suffix, otherSuffix)
}

// sameEncoding returns how to compare structs of a type with unexported fields: by their text if
// the type encodes itself, otherwise by all of their fields, since nothing better is known.
func sameEncoding(t reflect.Type) func(a, b any) bool {
	p := reflect.PointerTo(t)
	if !p.Implements(reflect.TypeFor[json.Marshaler]()) && !p.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return reflect.DeepEqual
	}
	return func(a, b any) bool {
		x, err := json.Marshal(a)
		if err != nil {
			return false
		}
		y, err := json.Marshal(b)
		return err == nil && bytes.Equal(x, y)
	}
}
