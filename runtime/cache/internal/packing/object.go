package packing

import (
	"bytes"
	"fmt"
	"reflect"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache/internal/footprint"
	"github.com/listwatch/listwatch/runtime/codec"
)

// Object is an object in packed form. All fields except the last two never change.
type Object struct {
	in     *group
	by     *dictionary // nil if the object cannot be packed, and stays decoded
	packed string      // the name and, if by is not nil, the packed text
	name   uint32      // the length of the name

	used    atomic.Bool // since its place among the decoded ones was looked at
	decoded atomic.Pointer[opened]
}

// group is what objects have in common that are not packed, which never changes, and what they are packed by.
type group struct {
	kind      *kind
	namespace string
	labels    map[string]string

	like atomic.Pointer[dictionary] // unlike, or a likeness; nil until there is an object that others can be packed by
}

// opened is a decoded object.
type opened struct{ object any }

// kind is what the objects of one kind have in common.
type kind struct {
	packer *Packer
	form   *codec.Form
	object reflect.Type
	gvk    schema.GroupVersionKind
	secret bool
}

// Open returns obj, decoded if it is packed.
func Open(obj any) any {
	if o, ok := obj.(*Object); ok {
		return o.open()
	}
	return obj
}

// open returns the decoded object.
func (o *Object) open() any {
	if d := o.decoded.Load(); d != nil {
		o.used.Store(true)
		return d.object
	}
	object := o.mustDecode()
	o.in.kind.packer.decodes.Add(1)
	d := &opened{object}
	if !o.decoded.CompareAndSwap(nil, d) {
		if other := o.decoded.Load(); other != nil {
			return other.object
		}
		return object
	}
	o.in.kind.packer.recent.add(o)
	return object
}

// Read is Open for a caller who wants an object of its own: it reports whether it was decoded for the caller alone, and then does
// not stay decoded.
func Read(obj any) (object any, owned bool) {
	o, ok := obj.(*Object)
	if !ok || o.decoded.Load() != nil {
		return Open(obj), false
	}
	o.in.kind.packer.decodes.Add(1)
	return o.mustDecode(), true
}

// Copy returns a copy of obj that the caller owns, decoded if it is packed.
func Copy(obj any) any {
	object, owned := Read(obj)
	if stored, ok := object.(runtime.Object); ok && !owned {
		return stored.DeepCopyObject()
	}
	return object
}

// mustDecode returns a new object. There is no error to return: a text is a message that was checked as it is decoded, or what
// [codec.Form.Encode] made of an object of a kind for which decoding was tried or follows from its fields. So only a Compression
// that fails on what it packed itself, or damaged memory, remains, and no object could stand for the one that is lost.
func (o *Object) mustDecode() any {
	object, err := o.decode()
	if err != nil {
		panic(fmt.Sprintf("packed object %s/%s cannot be decoded: %v", o.in.namespace, o.Name(), err))
	}
	return object
}

// decode returns a new object.
func (o *Object) decode() (any, error) {
	text, free, err := o.unpack()
	if err != nil {
		return nil, err
	}
	defer free()
	return o.in.kind.decode(text)
}

func (k *kind) decode(text []byte) (runtime.Object, error) {
	object, err := k.form.Decode(text, k.secret)
	if err == nil && k.gvk != (schema.GroupVersionKind{}) {
		object.GetObjectKind().SetGroupVersionKind(k.gvk)
	}
	return object, err
}

// Name returns the object's name. It retains the memory of the object.
func (o *Object) Name() string { return o.packed[:o.name] }

// GetNamespace returns the object's namespace.
func (o *Object) GetNamespace() string { return o.in.namespace }

// GetLabels returns the object's labels, which nobody may change.
func (o *Object) GetLabels() map[string]string { return o.in.labels }

// Same reports whether two objects are the same state, with all that is encoded.
func Same(a, b *Object) bool {
	if a == b {
		return true
	}
	if a.in.kind.object != b.in.kind.object || a.in.namespace != b.in.namespace || a.by == nil || b.by == nil {
		return false
	}
	if a.by == b.by {
		return a.packed == b.packed
	}
	x, freeX, err := a.unpack()
	if err != nil {
		return false
	}
	defer freeX()
	y, freeY, err := b.unpack()
	if err != nil {
		return false
	}
	defer freeY()
	return a.Name() == b.Name() && bytes.Equal(x, y)
}

// objectSize is the size of an Object.
const objectSize = 48

// Size returns how many bytes the object takes, without what it shares with others and its decoded form if that is only
// there for a while.
func (o *Object) Size() int {
	n := objectSize + footprint.Size(o.packed)
	if d := o.decoded.Load(); d != nil && o.by == nil {
		n += footprint.Size(d.object)
	}
	return n
}
