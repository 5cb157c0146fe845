package codec

import (
	"encoding"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// shape describes how the members of an object are decoded into a struct.
type shape struct {
	fields map[string]*field
	// items is the field with the items of a list, or nil.
	items *field
}

// field describes how one member is decoded.
type field struct {
	index []int
	typ   reflect.Type
	how   how
	// values reports whether it contains types with functions in this package.
	values bool
	// item is the shape of the structs in a field of items, or nil.
	item *shape
}

// how is the method of decoding a field.
type how int

const (
	plain  how = iota // by go-json-experiment
	text              // a string, likely seen before
	object            // an ObjectMeta
	items             // the items of a list, one by one
)

var shapes sync.Map // reflect.Type of an object to *shape

// shapeOf returns the shape of objects of type t, or nil if apimachinery's decoder must decode them.
func shapeOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	known, _ := shapes.LoadOrStore(t, objectShape(t))
	return known.(*shape)
}

// objectShape returns the shape of an object of type t. If it has items, they are decoded one by one; the items
// of an item, possibly of its own type, are not.
func objectShape(t reflect.Type) *shape {
	sh := structShape(t)
	if sh == nil {
		return nil
	}
	f := sh.fields["items"]
	if f == nil || f.typ.Kind() != reflect.Slice || f.typ.Elem().Kind() == reflect.Uint8 || decodesItself(f.typ) {
		return sh
	}
	of := f.typ.Elem()
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if item := structShape(of); item != nil || !f.values {
		f.how, f.item = items, item
		sh.items = f
	}
	return sh
}

// structShape returns the shape of t, or nil if it is not a struct or must be decoded by reflection.
func structShape(t reflect.Type) *shape {
	if t.Kind() != reflect.Struct || decodesItself(t) {
		return nil
	}
	fields, ok := fieldsOf(t)
	if !ok {
		return nil
	}
	sh := &shape{fields: make(map[string]*field, len(fields))}
	for _, f := range fields {
		v := vetter{seen: map[reflect.Type]bool{}}
		if !v.vet(f.typ) {
			return nil
		}
		made := &field{index: f.index, typ: f.typ, values: v.values}
		switch {
		case f.name == "kind" || f.name == "apiVersion":
			if f.typ.Kind() != reflect.String {
				return nil
			}
			made.how = text
		case isTypeName([]byte(f.name)):
			return nil // it may also be part of the head
		case f.typ == objectMetaType && metaIsKnown:
			made.how = object
		}
		sh.fields[f.name] = made
	}
	return sh
}

var objectMetaType = reflect.TypeFor[metav1.ObjectMeta]()

// vetter walks a tree of types.
type vetter struct {
	seen map[reflect.Type]bool
	// values reports whether the tree contains types with functions in this package.
	values bool
}

// vet reports whether t and everything in it are decoded by go-json-experiment as by
// sigs.k8s.io/json.
func (v *vetter) vet(t reflect.Type) bool {
	if v.seen[t] {
		return true
	}
	v.seen[t] = true
	if hasFunction(t) {
		v.values = true
		return true
	}
	if t.Kind() == reflect.Pointer {
		return t.Name() == "" && t.Elem().Kind() != reflect.Pointer && v.vet(t.Elem())
	}
	if refused[t.PkgPath()+"."+t.Name()] || implements[json.UnmarshalerFrom](t) {
		return false
	}
	if decodesItself(t) {
		return t.Name() != "" && t.Kind() != reflect.Interface
	}
	if implements[encoding.TextUnmarshaler](t) {
		return false
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return true
	case reflect.Slice:
		if e := t.Elem(); e.Kind() == reflect.Uint8 {
			return e == reflect.TypeFor[byte]()
		}
		return v.vet(t.Elem())
	case reflect.Map:
		k := t.Key()
		return k.Kind() == reflect.String && !decodesItself(k) && v.vet(k) && v.vet(t.Elem())
	case reflect.Struct:
		fields, ok := fieldsOf(t)
		if !ok {
			return false
		}
		for _, f := range fields {
			if !v.vet(f.typ) {
				return false
			}
		}
		return true
	default: // arrays, interfaces, complex numbers, functions, channels
		return false
	}
}

// refused are types for which the two libraries have special rules.
var refused = map[string]bool{
	"time.Time":            true,
	"time.Duration":        true,
	"encoding/json.Number": true,
}

// decodesItself reports whether encoding/json calls a method of t to decode it.
func decodesItself(t reflect.Type) bool { return implements[json.Unmarshaler](t) }

// implements reports whether t or a pointer to it implements I.
func implements[I any](t reflect.Type) bool {
	i := reflect.TypeFor[I]()
	return t.Implements(i) || reflect.PointerTo(t).Implements(i)
}

// hasMethods reports whether t has methods that may take part in its encoding or
// decoding.
func hasMethods(t reflect.Type) bool {
	return implements[json.Unmarshaler](t) || implements[json.UnmarshalerFrom](t) || implements[encoding.TextUnmarshaler](t) ||
		implements[json.Marshaler](t) || implements[json.MarshalerTo](t) || implements[encoding.TextMarshaler](t) ||
		implements[encoding.TextAppender](t)
}

// structField is a field of a struct, or of a struct embedded in it.
type structField struct {
	name  string
	index []int
	typ   reflect.Type
}

// fieldsOf returns the fields of t that have a name in JSON. It returns false if the struct has tags on which
// decoders may differ.
func fieldsOf(t reflect.Type) ([]structField, bool) {
	var fields []structField
	if !appendFields(&fields, t, nil) {
		return nil, false
	}
	names := make(map[string]bool, len(fields))
	for _, f := range fields {
		if names[f.name] {
			return nil, false
		}
		names[f.name] = true
	}
	return fields, len(fields) > 0 || t.NumField() == 0
}

func appendFields(fields *[]structField, t reflect.Type, index []int) bool {
	for i := range t.NumField() {
		sf := t.Field(i)
		tag, tagged := sf.Tag.Lookup("json")
		at := append(slices.Clone(index), i)
		name, opts, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-":
		case sf.Anonymous && name == "":
			// Embedded: its fields count as fields of t.
			if tag != "" && tag != ",inline" || sf.Type.Kind() != reflect.Struct || !sf.IsExported() || hasMethods(sf.Type) {
				return false
			}
			before := len(*fields)
			if !appendFields(fields, sf.Type, at) || len(*fields) == before && sf.Type.NumField() > 0 {
				return false
			}
		case !sf.IsExported():
			if tagged || sf.Anonymous {
				return false
			}
		default:
			if name == "" {
				name = sf.Name
			}
			if !plainName(name) || !plainOptions(tag, opts) {
				return false
			}
			*fields = append(*fields, structField{name: name, index: at, typ: sf.Type})
		}
	}
	return true
}

// plainName reports whether all decoders read name in the same way.
func plainName(name string) bool {
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("_.$/-", c) {
			return false
		}
	}
	return name != "" && name != "-"
}

// plainOptions reports whether the options of the tag do not matter to decoding.
func plainOptions(tag, opts string) bool {
	if !strings.Contains(tag, ",") {
		return true
	}
	seen := map[string]bool{}
	for opt := range strings.SplitSeq(opts, ",") {
		if opt != "omitempty" && opt != "omitzero" || seen[opt] {
			return false
		}
		seen[opt] = true
	}
	return true
}
