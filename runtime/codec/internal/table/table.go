package table

import (
	"reflect"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// Table says how a struct is decoded. It is never changed once it is compiled.
type Table struct {
	typ    reflect.Type
	fields []field
	slots  uint16 // of what is learned of the fields, and of what they consist of

	// hashed are the indexes of the fields, plus one, by the hash of their names: no two have the same place.
	hashed     []uint8
	multiplier uint64
	shift      uint

	// unsupported are the fields that the exact decoder has to find. If there are any, it decodes all members that are not
	// in fields.
	unsupported []Slow

	// root reports whether the struct has the fields kind and apiVersion, at these offsets, and no others that an
	// object's kind could be mistaken for.
	root             bool
	kind, apiVersion uintptr

	// cut reports whether fields are skipped; see [Table.Keep].
	cut bool

	// own reports whether objects do not share structs of the type, whatever is in them; see [Decoder.Stream].
	own bool

	metadata uint16 // slot of the field metadata plus one if that is an ObjectMeta, or 0
}

// field is a field of a struct.
type field struct {
	value
	literal string // of its name, with the quotes and the colon
	// first and last are the first and the last eight bytes of the literal; of a short one, first alone, masked.
	first, last, mask uint64
	offset            uintptr
	index             uint8
}

// mostFields is the number of fields up to which a struct has a table; the exact decoder decodes all further ones.
const mostFields = 128

func (f *field) name() string { return f.literal[1 : len(f.literal)-2] }

var (
	compiling sync.Mutex
	compiled  = map[reflect.Type]*Table{} // guarded by compiling
	unmarked  []*Table                    // those compiled last; guarded by compiling
	known     sync.Map                    // reflect.Type to *Table
)

// Of returns the table of a struct type, or nil if t is not one, or decodes itself.
func Of(t reflect.Type) *Table {
	if k, ok := known.Load(t); ok {
		return k.(*Table)
	}
	compiling.Lock()
	defer compiling.Unlock()
	var c compiler
	var v value
	c.value(&v, t)
	markShared(unmarked)
	unmarked = nil
	known.Store(t, v.sub)
	return v.sub
}

// Root reports whether the struct is an object with a kind and an apiVersion.
func (t *Table) Root() bool { return t.root }

// Elem returns the type of the elements of the field of that name if it is a slice, and the table of its elements
// if they are structs, or pointers to structs. Both are nil otherwise.
func (t *Table) Elem(name string) (typ reflect.Type, of *Table) {
	f := t.named(name)
	if f == nil || f.op != opSlice {
		return nil, nil
	}
	elem := f.elem
	if elem.op == opPointer {
		elem = elem.elem
	}
	return f.elem.typ, elem.sub
}

// Field returns the field of that name, which is in the table, of the struct that into points to.
func (t *Table) Field(name string, into reflect.Value) reflect.Value {
	f := t.named(name)
	return memory.Of(into).At(f.offset).Pointer(f.typ).Elem()
}

// compiler compiles one struct.
type compiler struct {
	slots uint16
	open  map[reflect.Type]bool // types that contain what is compiled
}

var objectMeta = reflect.TypeFor[metav1.ObjectMeta]()

// unique are the fields of ObjectMeta whose strings no other object has.
var unique = map[string]bool{"name": true, "uid": true, "resourceVersion": true, "selfLink": true}

// compileStruct returns the table of t. Its caller holds compiling. The table of a struct that contains itself may
// not be complete yet.
func compileStruct(t reflect.Type) *Table {
	if made, ok := compiled[t]; ok {
		return made
	}
	made := &Table{typ: t}
	compiled[t], unmarked = made, append(unmarked, made)
	found := collect(t)
	made.unsupported = found.unsupported
	if len(found.fields) > mostFields {
		for _, f := range found.fields[mostFields:] {
			made.unsupported = append(made.unsupported, Slow{Path: f.name, Type: f.typ, Why: "structs of more than 128 fields"})
		}
		found.fields = found.fields[:mostFields]
	}
	made.fields = make([]field, 0, len(found.fields))
	var c compiler
	for _, from := range found.fields {
		f := field{literal: `"` + from.name + `":`, offset: from.offset, index: uint8(len(made.fields))}
		if c.value(&f.value, from.typ); f.op == opExact {
			made.unsupported = append(made.unsupported, Slow{Path: from.name, Type: from.typ, Why: f.why})
			continue
		}
		switch {
		case t == objectMeta && unique[from.name] && f.op == opString:
			f.op = opUnique
		case t == objectMeta && from.name == "managedFields" && f.op == opSlice:
			f.op = opManaged
		case from.typ == objectMeta && from.name == "metadata":
			made.metadata = f.slot + 1
		}
		f.first, f.mask = jsonscan.Word([]byte(f.literal), 0), ^uint64(0)
		if n := len(f.literal); n < 8 {
			f.mask = 1<<(8*uint(n)) - 1
		} else {
			f.last = jsonscan.Word([]byte(f.literal), n-8)
		}
		made.fields = append(made.fields, f)
	}
	made.slots = c.slots
	made.hash()
	made.findKind(found)
	return made
}

// findKind sets root.
func (t *Table) findKind(found collected) {
	for _, name := range found.names {
		if isTypeName([]byte(name)) && name != "kind" && name != "apiVersion" {
			return
		}
	}
	kind, version := t.named("kind"), t.named("apiVersion")
	if kind != nil && version != nil && kind.op == opString && version.op == opString {
		t.root, t.kind, t.apiVersion = true, kind.offset, version.offset
	}
}

// isTypeName reports whether encoding/json takes name for kind or apiVersion, which it reads in any case.
func isTypeName(name []byte) bool {
	// Two of their letters have relatives of other lengths.
	switch len(name) {
	case 4, 6:
		return strings.EqualFold(string(name), "kind")
	case 10, 11:
		return strings.EqualFold(string(name), "apiVersion")
	}
	return false
}

// hash searches a multiplier with which no two names fall into one place.
func (t *Table) hash() {
	bits := uint(1)
	for 1<<bits < len(t.fields)*2 {
		bits++
	}
	for ; ; bits++ {
		t.shift = 64 - bits
		for try := range uint64(200) {
			t.multiplier = try*2 + 1
			t.hashed = make([]uint8, 1<<bits)
			if t.place() {
				return
			}
		}
	}
}

// place reports whether all names have places of their own.
func (t *Table) place() bool {
	for i := range t.fields {
		at := &t.hashed[jsonscan.Hash([]byte(t.fields[i].name()))*t.multiplier>>t.shift]
		if *at != 0 {
			return false
		}
		*at = uint8(i + 1)
	}
	return true
}

// find returns the field of that name, whose hash is h, or nil.
func (t *Table) find(name []byte, h uint64) *field {
	if i := t.hashed[h*t.multiplier>>t.shift]; i != 0 {
		if f := &t.fields[i-1]; f.literal[1:len(f.literal)-2] == string(name) {
			return f
		}
	}
	return nil
}

func (t *Table) named(name string) *field { return t.find([]byte(name), jsonscan.Hash([]byte(name))) }
