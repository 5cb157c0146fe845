package protobuf

import (
	"reflect"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// message is what generated types implement. Unmarshal adds to the message, unless Reset was called.
type message interface {
	Reset()
	Unmarshal([]byte) error
}

// shape is how messages of a type are decoded: as objects, or as lists of objects.
type shape struct {
	items int // the index of the field with the items, 0 in objects
}

var (
	shapes sync.Map // *shape by reflect.Type, nil for types that are not decoded here

	objectMeta = reflect.TypeFor[metav1.ObjectMeta]()
	listMeta   = reflect.TypeFor[metav1.ListMeta]()
)

// shapeOf returns the shape of a type, nil if it is not decoded here.
func shapeOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	s := vet(t)
	shapes.Store(t, s)
	return s
}

// vet returns the shape of a pointer type, if it has one and decodes a sample as the type's own method does.
func vet(t reflect.Type) *shape {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return nil
	}
	meta := metav1.ObjectMeta{Name: "a", Labels: map[string]string{"b": "c"}}
	sample, err := meta.Marshal()
	if err != nil {
		return nil
	}
	sample = field(1, sample)
	var s *shape
	if isObject(t) {
		s = &shape{}
	} else if s = listOf(t); s != nil {
		sample = append(field(1, nil), append(field(2, sample), field(2, sample)...)...)
	}
	if s == nil {
		return nil
	}
	want, got := reflect.New(t.Elem()), reflect.New(t.Elem())
	if want.Interface().(message).Unmarshal(sample) != nil || !s.decode(got.Interface().(message), sample) || !reflect.DeepEqual(got.Interface(), want.Interface()) {
		return nil
	}
	return s
}

// field returns an encoded field of less than 128 bytes.
func field(number byte, value []byte) []byte {
	return append([]byte{tag(number, asBytes), byte(len(value))}, value...)
}

func isObject(t reflect.Type) bool {
	f, ok := t.Elem().FieldByName("ObjectMeta")
	return ok && f.Anonymous && f.Type == objectMeta && len(f.Index) == 1 &&
		f.Tag.Get("protobuf") == "bytes,1,opt,name=metadata" &&
		t.Implements(reflect.TypeFor[metav1.ObjectMetaAccessor]()) && t.Implements(reflect.TypeFor[message]())
}

// listOf returns the shape of a type that is a list.
func listOf(t reflect.Type) *shape {
	meta, ok := t.Elem().FieldByName("ListMeta")
	items, has := t.Elem().FieldByName("Items")
	if ok && has && meta.Anonymous && meta.Type == listMeta && len(meta.Index) == 1 && len(items.Index) == 1 &&
		meta.Tag.Get("protobuf") == "bytes,1,opt,name=metadata" && items.Tag.Get("protobuf") == "bytes,2,rep,name=items" &&
		t.Implements(reflect.TypeFor[metav1.ListMetaAccessor]()) && t.Implements(reflect.TypeFor[message]()) &&
		items.Type.Kind() == reflect.Slice && items.Type.Elem().Kind() == reflect.Struct && isObject(reflect.PointerTo(items.Type.Elem())) {
		return &shape{items: items.Index[0]}
	}
	return nil
}

// decode decodes an empty message. It returns false if there is a doubt.
func (s *shape) decode(m message, text []byte) bool {
	if s.items > 0 {
		return s.decodeList(m, text)
	}
	return decodeObject(m, text)
}

func decodeObject(m message, text []byte) bool {
	if len(text) > 0 && text[0] == tag(1, asBytes) {
		r := reader{text: text, at: 1}
		first := r.bytes()
		if r.doubt || !decodeMeta(m.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta), first) {
			return false
		}
		text = text[r.at:]
	}
	return m.Unmarshal(text) == nil
}

func (s *shape) decodeList(m message, text []byte) bool {
	r := reader{text: text}
	n := 0
	for r.more() {
		switch r.tag() {
		case tag(1, asBytes):
			if r.bytes(); n > 0 {
				return false // the other field is read first
			}
		case tag(2, asBytes):
			r.bytes()
			n++
		default:
			return false
		}
	}
	if r.doubt {
		return false
	}
	field := reflect.ValueOf(m).Elem().Field(s.items)
	if n > 0 {
		field.Set(reflect.MakeSlice(field.Type(), n, n))
	}
	r = reader{text: text}
	for i := 0; r.more(); {
		if r.tag() == tag(1, asBytes) {
			if m.(metav1.ListMetaAccessor).GetListMeta().(*metav1.ListMeta).Unmarshal(r.bytes()) != nil {
				return false
			}
			continue
		}
		if !decodeObject(field.Index(i).Addr().Interface().(message), r.bytes()) {
			return false
		}
		i++
	}
	return true
}
