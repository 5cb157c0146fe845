package table

import (
	"encoding"
	"encoding/json"
	"reflect"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// op is an operation that decodes a value.
type op uint8

const (
	opExact  op = iota // by the exact decoder; no field in a table is, see [Table]
	opItself           // by the method UnmarshalJSON of its type
	opString
	opUnique // a string that no other object has
	opBool
	opInt8
	opInt16
	opInt32
	opInt64
	opUint8
	opUint16
	opUint32
	opUint64
	opFloat32
	opFloat64
	opStruct
	opSlice
	opStrings // a slice of strings
	opBytes
	opManaged   // the managedFields of an ObjectMeta
	opStringMap // a map[string]string
	opMap       // of strings to other values
	opPointer
	opNumberPtr // a pointer to a bool, int32 or int64
	opAny
	opTime
	opTimePtr
	opMicroTime
	opDuration
	opIntOrString
	opQuantity
	opFieldsPtr
	opRaw
	opRawMessage
	opSkip          // a value that is not decoded, see [Table.Keep]
	opInitialEvents // annotations that are not decoded, except those of bookmarks
)

// specials are types whose methods are known, and not called.
var specials = map[reflect.Type]op{
	reflect.TypeFor[any]():                  opAny,
	reflect.TypeFor[metav1.Time]():          opTime,
	reflect.TypeFor[*metav1.Time]():         opTimePtr,
	reflect.TypeFor[metav1.MicroTime]():     opMicroTime,
	reflect.TypeFor[metav1.Duration]():      opDuration,
	reflect.TypeFor[intstr.IntOrString]():   opIntOrString,
	reflect.TypeFor[resource.Quantity]():    opQuantity,
	reflect.TypeFor[*metav1.FieldsV1]():     opFieldsPtr,
	reflect.TypeFor[runtime.RawExtension](): opRaw,
	reflect.TypeFor[json.RawMessage]():      opRawMessage,
}

// basics are the operations of basic kinds.
var basics = map[reflect.Kind]op{
	reflect.String: opString, reflect.Bool: opBool,
	reflect.Int8: opInt8, reflect.Int16: opInt16, reflect.Int32: opInt32, reflect.Int64: opInt64,
	reflect.Uint8: opUint8, reflect.Uint16: opUint16, reflect.Uint32: opUint32, reflect.Uint64: opUint64,
	reflect.Float32: opFloat32, reflect.Float64: opFloat64,
	reflect.Int: opInt64, reflect.Uint: opUint64,
}

func init() {
	if reflect.TypeFor[int]().Size() == 4 {
		basics[reflect.Int], basics[reflect.Uint] = opInt32, opUint32
	}
}

// value says how values of a type are decoded.
type value struct {
	op   op
	slot uint16 // of what is learned of it, in its table
	typ  reflect.Type
	size uintptr
	sub  *Table // of a struct
	elem *value // of a slice, map or pointer
	// arrays are those of a slice.
	arrays *memory.Arrays
	kind   *intern.Kind // of a value that objects may share, see [Decoder.Stream]; nil otherwise
	why    string       // the reason for opExact and opItself
}

// compile sets v for values of type t.
func (c *compiler) value(v *value, t reflect.Type) {
	v.slot, v.typ, v.size = c.slots, t, t.Size()
	c.slots++
	if o, ok := specials[t]; ok {
		v.op = o
		return
	}
	if t.Kind() != reflect.Pointer || t.Name() != "" {
		switch {
		case t.Kind() == reflect.Interface:
			v.why = "interfaces other than any"
			return
		case t.Name() == "" && !t.Implements(unmarshaler) && implements[json.Unmarshaler](t):
			v.why = "unnamed types whose pointers have methods" // which count in some places only
			return
		case implements[json.Unmarshaler](t):
			v.op, v.why = opItself, "has a method UnmarshalJSON"
			return
		case implements[encoding.TextUnmarshaler](t):
			v.why = "has a method UnmarshalText"
			return
		case t == reflect.TypeFor[json.Number]():
			v.why = "json.Number"
			return
		}
	}
	if o, ok := basics[t.Kind()]; ok {
		v.op = o
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		v.op, v.sub = opStruct, compileStruct(t)
	case reflect.Pointer:
		c.pointer(v, t)
	case reflect.Slice:
		c.slice(v, t)
	case reflect.Map:
		c.mapping(v, t)
	case reflect.Array:
		v.why = "arrays"
	default:
		v.why = t.Kind().String()
	}
}

func (c *compiler) pointer(v *value, t reflect.Type) {
	switch e := t.Elem(); {
	case e.Kind() == reflect.Pointer:
		v.why = "pointers to pointers"
		return
	case t.Name() != "" && (implements[json.Unmarshaler](e) || implements[encoding.TextUnmarshaler](e)):
		v.why = "named pointers to types with methods" // which do not count
		return
	}
	switch c.of(v, t.Elem()); v.elem.op {
	case opExact:
		v.why = v.elem.why
	case opBool, opInt32, opInt64:
		v.op = opNumberPtr
	default:
		v.op = opPointer
	}
}

func (c *compiler) slice(v *value, t reflect.Type) {
	if e := t.Elem(); e.Kind() == reflect.Uint8 {
		if v.op = opBytes; e != reflect.TypeFor[byte]() {
			v.op, v.why = opExact, "slices of named bytes"
		}
		return
	}
	switch c.of(v, t.Elem()); v.elem.op {
	case opExact:
		v.why = v.elem.why
		return
	case opString:
		v.op = opStrings
	default:
		v.op = opSlice
	}
	v.arrays = new(memory.Arrays)
	v.arrays.Init(t)
}

func (c *compiler) mapping(v *value, t reflect.Type) {
	if t.Key().Kind() != reflect.String || implements[encoding.TextUnmarshaler](t.Key()) {
		v.why = "maps by other keys than strings"
		return
	}
	if c.of(v, t.Elem()); v.elem.op == opExact {
		v.why = v.elem.why
		return
	}
	v.op = opMap
	if t.Key() == reflect.TypeFor[string]() && t.Elem() == reflect.TypeFor[string]() {
		v.op = opStringMap
	}
}

// of compiles what v consists of, or points to.
func (c *compiler) of(v *value, t reflect.Type) {
	v.elem = new(value)
	if c.open[v.typ] {
		v.elem.why = "types that contain themselves other than by structs"
		return
	}
	if c.open == nil {
		c.open = map[reflect.Type]bool{}
	}
	c.open[v.typ] = true
	c.value(v.elem, t)
	delete(c.open, v.typ)
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// implements reports whether t or a pointer to it implements I.
func implements[I any](t reflect.Type) bool {
	i := reflect.TypeFor[I]()
	return t.Implements(i) || reflect.PointerTo(t).Implements(i)
}
