package protobuf

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// message is what generated types implement. Unmarshal adds to the message.
type message interface {
	Unmarshal([]byte) error
}

// resetter is what generated types implement that are objects. Reset empties the message.
type resetter interface {
	message
	Reset()
}

// layout says how a message is decoded. It is never changed once it is compiled.
type layout struct {
	typ    reflect.Type
	fields []field // by number; those that there are not have no operation
	// why is the reason why the type's own method decodes the message, or empty.
	why string
	// view reports whether the numbers of the fields are those of another type, and the type has no methods; see [View].
	view bool
	// cut reports whether fields of the message may be skipped, because a view has them not or they are not kept.
	cut      bool
	expected expected
}

// field is a field of a message.
type field struct {
	value
	offset uintptr
	wire   byte // how it is encoded
	// objects reports whether these are the items of a list, managed whether these are managedFields.
	objects, managed bool
	// initialEvents reports whether these are annotations that are skipped, except those of bookmarks.
	initialEvents bool
}

// managedNumber is the number of managedFields in metadata.
const managedNumber = 17

// mostFields is the greatest number of a field in a layout.
const mostFields = 255

// op is an operation that decodes a value.
type op uint8

const (
	opNone op = iota
	opString
	opBool
	opInt32
	opInt64
	opUint32
	opUint64
	opNumberPtr // a pointer to one of the above, except strings
	opPointer
	opBytes
	opMessage
	opItself // by the method of its type
	opSlice
	opStrings // a slice of strings
	opNumbers // a slice of numbers
	opStringMap
	opQuantityMap
	opBytesMap
	opMap // of strings to other values
	opTime
	opTimePtr
	opMicroTime
	opQuantity
	opFieldsPtr
)

// specials are types whose methods are known, and not called.
var specials = map[reflect.Type]op{
	reflect.TypeFor[metav1.Time]():       opTime,
	reflect.TypeFor[*metav1.Time]():      opTimePtr,
	reflect.TypeFor[metav1.MicroTime]():  opMicroTime,
	reflect.TypeFor[resource.Quantity](): opQuantity,
	reflect.TypeFor[*metav1.FieldsV1]():  opFieldsPtr,
}

// numbers are the operations of kinds that are encoded as numbers.
var numbers = map[reflect.Kind]op{
	reflect.Bool: opBool, reflect.Int32: opInt32, reflect.Int64: opInt64, reflect.Uint32: opUint32, reflect.Uint64: opUint64,
}

// value says how values of a type are decoded.
type value struct {
	op   op
	typ  reflect.Type
	size uintptr
	sub  *layout // of a message
	elem *value  // of a slice, map or pointer
	// arrays are those of a slice.
	arrays *memory.Arrays
	kind   *intern.Kind // of a value that objects may share, by its text; nil otherwise
	// score is the index of the field's [intern.Score] in a session, which says whether its strings or values come again.
	score uint16
}

var (
	compiling sync.Mutex
	compiled  = map[reflect.Type]*layout{} // guarded by compiling
	places    uint16                       // guarded by compiling
	ready     sync.Map                     // reflect.Type to *layout
)

// layoutOf returns the layout of a struct type, or nil if it has no method Unmarshal.
func layoutOf(t reflect.Type) *layout {
	if k, ok := ready.Load(t); ok {
		return k.(*layout)
	}
	compiling.Lock()
	defer compiling.Unlock()
	var made *layout
	if t.Kind() == reflect.Struct && isMessage(t) {
		made = compile(t)
	}
	ready.Store(t, made)
	return made
}

func isMessage(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[message]())
}

// compile returns the layout of a message. Its caller holds compiling. The layout of a message that contains itself may
// not be complete yet.
func compile(t reflect.Type) *layout {
	if made, ok := compiled[t]; ok {
		return made
	}
	made := &layout{typ: t}
	compiled[t] = made
	var found []field
	for i := range t.NumField() {
		sf := t.Field(i)
		tag := sf.Tag.Get("protobuf")
		if tag == "" || tag == "-" {
			continue
		}
		f := field{offset: sf.Offset}
		number, ok := f.parse(sf, tag)
		if !ok || number < len(found) && found[number].op != opNone {
			made.why = "the field " + sf.Name
			return made
		}
		found = append(found, make([]field, max(0, number+1-len(found)))...)
		found[number] = f
	}
	made.fields = found
	if len(found) > 2 && found[1].typ == reflect.TypeFor[metav1.ListMeta]() && found[2].op == opSlice && found[2].elem.op == opMessage {
		made.fields[2].objects, made.fields[2].kind = true, nil
	}
	if t == reflect.TypeFor[metav1.ObjectMeta]() && len(found) > managedNumber {
		made.fields[managedNumber].managed = true
	}
	if !made.agrees() {
		made.fields, made.why = nil, "its method differs from its tags"
	}
	return made
}

// parse sets f by the tag of the field. It returns false if f is not known here.
func (f *field) parse(sf reflect.StructField, tag string) (number int, ok bool) {
	parts := strings.Split(tag, ",")
	if len(parts) < 2 || !sf.IsExported() {
		return 0, false
	}
	number, err := strconv.Atoi(parts[1])
	if err != nil || number < 1 || number > mostFields {
		return 0, false
	}
	// The encoding in the tag and whether a field is repeated are wrong in some tags, and follow from the type.
	return number, f.of(sf.Type, nil)
}

// of sets f for values of type t. It returns false if these are not known here.
func (f *field) of(t reflect.Type, views func(reflect.Type) *layout) bool {
	f.compile(t, views)
	if f.wire = asBytes; f.isNumber() {
		f.wire = asVarint
	}
	return f.op != opNone
}

func (v *value) isNumber() bool { return v.op >= opBool && v.op <= opNumberPtr || v.op == opNumbers }

// compile sets v for values of type t, unless these are not known here. Views returns the layouts of structs without
// methods; nil outside of views.
func (v *value) compile(t reflect.Type, views func(reflect.Type) *layout) {
	v.typ, v.size = t, t.Size()
	special, isSpecial := specials[t]
	number, isNumber := numbers[t.Kind()]
	switch {
	case isSpecial:
		v.op = special
	case t.Kind() == reflect.Struct && isMessage(t) && (views == nil || isTagged(t)):
		v.op, v.sub = opMessage, compile(t)
	case t.Kind() == reflect.Struct && views != nil:
		v.op, v.sub = opMessage, views(t)
	case t.Name() != "" && isMessage(t):
		v.op = opItself
	case isNumber:
		v.op = number
	case t.Kind() == reflect.String:
		v.op = opString
	case t.Kind() == reflect.Slice && t.Elem() == reflect.TypeFor[byte]():
		v.op = opBytes
	case t.Kind() == reflect.Pointer && t.Name() == "":
		v.pointer(t.Elem(), views)
	case t.Kind() == reflect.Slice:
		v.slice(t.Elem(), views)
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		v.mapping(t, views)
	}
	switch v.op {
	case opPointer, opSlice, opStrings, opStringMap, opQuantityMap, opMap:
		switch {
		case v.op == opPointer && v.elem.op == opString:
		case !v.inView():
			v.kind = intern.KindOf(t)
		case v.cut() != nil:
			v.kind = intern.CutKindOf(t, places)
		}
	}
	if v.kind != nil || v.op == opString {
		v.score = places // the same as another's if there are too many
		places++
	}
}

// inView reports whether the numbers of fields in the value depend on the view that it is part of, so that values with
// equal texts may differ.
func (v *value) inView() bool {
	return v.sub != nil && v.sub.view || v.elem != nil && v.elem.inView()
}

// contains sets the values that v consists of.
func (v *value) contains(t reflect.Type, views func(reflect.Type) *layout) op {
	v.elem = new(value)
	v.elem.compile(t, views)
	return v.elem.op
}

func (v *value) pointer(t reflect.Type, views func(reflect.Type) *layout) {
	switch v.contains(t, views) {
	case opBool, opInt32, opInt64, opUint32, opUint64:
		v.op = opNumberPtr
	case opString, opMessage, opMicroTime, opQuantity:
		v.op = opPointer
	}
}

func (v *value) slice(t reflect.Type, views func(reflect.Type) *layout) {
	switch v.contains(t, views) {
	case opString:
		v.op = opStrings
	case opBool, opInt32, opInt64, opUint32, opUint64:
		v.op = opNumbers
	case opMessage, opBytes, opTime, opMicroTime, opQuantity:
		v.op = opSlice
	case opPointer:
		if v.elem.elem.op == opMessage {
			v.op = opSlice
		}
	}
	v.arrays = new(memory.Arrays)
	v.arrays.Init(v.typ)
}

func (v *value) mapping(t reflect.Type, views func(reflect.Type) *layout) {
	switch v.contains(t.Elem(), views) {
	case opString:
		v.op = opStringMap
	case opQuantity:
		v.op = opQuantityMap
	case opBytes:
		v.op = opBytesMap
	case opMessage, opTime, opItself:
		v.op = opMap
	}
}
