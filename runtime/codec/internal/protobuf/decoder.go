// Package protobuf decodes protobuf into a scheme's objects like apimachinery's serializer, but reads the envelope
// in place, and decodes objects by layouts that are compiled once a type.
//
// # Terms
//
// A body is a prefix and an envelope, a message with the kind, the apiVersion and the encoded object. The exact
// decoder is apimachinery's: package runtime/serializer/protobuf within runtime.WithoutVersionDecoder. It decodes
// objects by the methods Unmarshal of their types. A layout says how each field of a message is decoded; it follows
// from the tags of the struct. A type whose tags are not known here, or whose method decodes a sample otherwise,
// is decoded by its method, wherever it occurs.
//
// A fallback is needed for whatever an API server does not write, and all that is invalid: it ends decoding here, and the exact
// decoder decodes the body from its beginning. So errors, and the contents of objects after them, are the exact
// decoder's. There is a fallback if a slice, a map or what a pointer points to is continued after another field, if numbers
// are packed, if an entry of a map is not a key and a value, and about groups. Unknown fields are skipped.
//
// A [View] decodes into a struct with some fields of another type. Nothing follows from its methods or tags: it has no exact
// decoder, so that a body that needs a fallback is an error.
//
// # Operations
//
// A [Decoder] decodes bodies, and lists from a reader item by item: the body of a list is never held in memory as a
// whole.
//
// # Ownership
//
// Objects do not reference the body. The short strings of an object are parts of one block, and so are the numbers that
// it points to; so they live as long as any of them. Equal short strings of the objects of a list that
// is decoded item by item, or of a stream, may be one in memory, and for owners of a [Shared] so are equal parts: slices,
// maps, structs behind pointers, and FieldsV1. A part is found by its text before it is decoded; if fields are skipped in it, by its
// text without these. From the second one on,
// it is in memory of its own, which keeps nothing of an object alive. Nothing of a Secret is shared. Of the contents of
// other objects, decoders remember short quantities only.
package protobuf

import (
	"bytes"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// prefix begins the body of every object.
var prefix = []byte{'k', '8', 's', 0}

// Decoder decodes like Exact, the exact decoder of Scheme. It is safe for concurrent use, unless it is for a stream.
type Decoder struct {
	Exact  runtime.Decoder
	Scheme *runtime.Scheme
	// Shared is what lists and streams of an owner share parts of objects by, or nil.
	Shared *Shared
	// WithoutManaged has managedFields be skipped, unchecked, by DecodeList and Decode, but not in lists that are decoded
	// as a whole.
	WithoutManaged bool
	// Texts has the items of lists that are decoded item by item be a [*Text], if possible, unless Kept or View is set, and
	// enables [Decoder.Text].
	Texts bool
	// Kept, if set, is what is decoded of objects, where managedFields may be skipped.
	Kept *Kept
	// View is the only kind of Scheme whose objects have no methods, or nil.
	View *View
	// Secrets has objects of all kinds be treated like Secrets.
	Secrets bool

	own *session // that of the only stream that it decodes; nil if there are others
}

// ForStream returns a decoder like d for the objects of one stream, which remembers what they have in common. It is
// not safe for concurrent use.
func (d *Decoder) ForStream() *Decoder {
	c := *d
	c.own = d.take()
	return &c
}

// Decode implements runtime.Decoder.
func (d *Decoder) Decode(body []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	if object, gvk := d.decode(body, into); object != nil {
		return object, &gvk, nil
	}
	object, gvk, err := d.Exact.Decode(body, defaults, into)
	if err == nil && d.View.has(object) {
		return nil, gvk, errView // its methods, if it has any, are those of a struct that it embeds
	}
	return object, gvk, err
}

// decode returns the decoded object, nil if it falls back.
func (d *Decoder) decode(body []byte, into runtime.Object) (runtime.Object, schema.GroupVersionKind) {
	encoded, ok := bytes.CutPrefix(body, prefix)
	if !ok {
		return nil, schema.GroupVersionKind{}
	}
	e, ok := readEnvelope(encoded)
	if !ok {
		return nil, schema.GroupVersionKind{}
	}
	s := d.own
	if s == nil {
		s = sessions.Get().(*session)
		defer sessions.Put(s)
	}
	object, ok := s.begun(d, e.typeMeta, into)
	if !ok {
		return nil, schema.GroupVersionKind{}
	}
	if s == d.own {
		d.learn(s, s.last.gvk.Kind)
	}
	defer s.drop()
	s.withoutManaged = d.WithoutManaged
	by := d.Kept.of(s.last.layout)
	if !s.object(by, reflect.ValueOf(object), e.raw) {
		return nil, schema.GroupVersionKind{}
	}
	d.Kept.mark(object, by, s.last.layout)
	return object, s.last.gvk
}

// kind is a kind of objects.
type kind struct {
	scheme   *runtime.Scheme
	typeMeta string // in envelopes
	gvk      schema.GroupVersionKind
	typ      reflect.Type // a pointer
	layout   *layout
}

// begun returns an empty object of the kind in an envelope, into unless that is nil, and keeps its kind as the last one.
func (s *session) begun(d *Decoder, typeMeta []byte, into runtime.Object) (object runtime.Object, ok bool) {
	if last := &s.last; last.scheme == d.Scheme && last.typeMeta == string(typeMeta) {
		if into == nil {
			object, ok = reflect.New(last.typ.Elem()).Interface().(runtime.Object)
			return object, ok
		}
		if v := reflect.ValueOf(into); v.Type() == last.typ && !v.IsNil() {
			if !memory.Of(v).IsZero(last.typ.Elem().Size()) {
				last.layout.reset(into)
			}
			return into, true
		}
	}
	apiVersion, name, ok := readTypeMeta(typeMeta)
	if !ok || len(name) == 0 {
		return nil, false
	}
	gvk := schema.FromAPIVersionAndKind(string(apiVersion), string(name))
	if gvk.Version == "" {
		return nil, false
	}
	if object, ok = d.target(gvk, into); !ok {
		return nil, false
	}
	v := reflect.ValueOf(object)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil, false
	}
	t := d.layoutOf(v.Type().Elem())
	if t == nil || t.why != "" || !t.resets(object) {
		return nil, false
	}
	s.last = kind{d.Scheme, string(typeMeta), gvk, v.Type(), t}
	t.reset(object)
	return object, true
}

// target returns into, if it is of a kind, or a new object if it is nil.
func (d *Decoder) target(gvk schema.GroupVersionKind, into runtime.Object) (runtime.Object, bool) {
	switch into := into.(type) {
	case nil:
		object, err := d.Scheme.New(gvk)
		return object, err == nil
	case *runtime.Unknown, runtime.Unstructured:
		return nil, false
	default:
		kinds, _, err := d.Scheme.ObjectKinds(into)
		return into, err == nil && slices.Contains(kinds, gvk)
	}
}
