// Package protobuf decodes protobuf into a scheme's objects like apimachinery's serializer, but reads the envelope
// in place, allocates the items of a list once, and decodes ObjectMeta with fewer allocations.
//
// # Terms
//
// A body is a prefix and an envelope, a message with the kind, the apiVersion and the encoded object. The exact
// decoder is apimachinery's: package runtime/serializer/protobuf within runtime.WithoutVersionDecoder. A doubt is
// whatever an API server does not write: it ends decoding here, and the exact decoder decodes the body from its
// beginning. So errors are the exact decoder's, and so is what becomes of objects by them.
//
// # Operations
//
// A [Decoder] decodes kinds whose first field is ObjectMeta, and lists of them. It decodes that field, and leaves
// the other fields to the Unmarshal method of the type, which continues with an object that is not empty. A Go type
// is vetted once: it must have the fields, and both ways must decode a sample equally.
//
// Of an object, the strings in its ObjectMeta are parts of one, except those in managedFields and those of objects
// with long ones. Objects do not reference the body.
package protobuf

import (
	"bytes"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// prefix begins the body of every object.
var prefix = []byte{'k', '8', 's', 0}

// Decoder decodes like Exact, the exact decoder of Scheme. It is safe for concurrent use.
type Decoder struct {
	Exact  runtime.Decoder
	Scheme *runtime.Scheme
}

// Decode implements runtime.Decoder.
func (d *Decoder) Decode(body []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	if object, gvk := d.decode(body, into); object != nil {
		return object, &gvk, nil
	}
	return d.Exact.Decode(body, defaults, into)
}

// decode returns the decoded object, nil if there is a doubt.
func (d *Decoder) decode(body []byte, into runtime.Object) (runtime.Object, schema.GroupVersionKind) {
	encoded, ok := bytes.CutPrefix(body, prefix)
	if !ok {
		return nil, schema.GroupVersionKind{}
	}
	e, ok := readEnvelope(encoded)
	if !ok || len(e.kind) == 0 {
		return nil, schema.GroupVersionKind{}
	}
	gvk := schema.FromAPIVersionAndKind(string(e.apiVersion), string(e.kind))
	if gvk.Version == "" {
		return nil, gvk
	}
	object, ok := d.target(gvk, into)
	if !ok {
		return nil, gvk
	}
	m, ok := object.(message)
	if !ok {
		return nil, gvk
	}
	shape := shapeOf(reflect.TypeOf(object))
	if shape == nil {
		return nil, gvk
	}
	m.Reset()
	if !shape.decode(m, e.raw) {
		return nil, gvk
	}
	return object, gvk
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
