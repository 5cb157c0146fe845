package codec

import (
	"errors"
	"io"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// DecodeList implements StreamDecoder.
func (d *decoder) DecodeList(r io.Reader, list runtime.Object, newItem func() runtime.Object, each func(runtime.Object) error) (runtime.Object, error) {
	return d.stream(r, list, &sink{newItem: newItem, each: each})
}

// sink takes the items of a list one by one.
type sink struct {
	newItem  func() runtime.Object
	each     func(runtime.Object) error
	tolerant bool // an Undecodable replaces an item that cannot be decoded
	started  bool
}

// callersError is an error that the caller's function returned.
type callersError struct{ err error }

func (e *callersError) Error() string { return e.err.Error() }

var errItemsAgain = errors.New("items are repeated")

// fits reports whether the items of that field can be decoded one by one.
func (k *sink) fits(f *field) bool {
	t := f.typ.Elem()
	if t.Kind() != reflect.Pointer {
		t = reflect.PointerTo(t)
	}
	return f.item != nil && reflect.TypeOf(k.newItem()) == t
}

// fitsUnstructured reports whether the requested items, if any, are untyped.
func (k *sink) fitsUnstructured() bool {
	if k == nil {
		return true
	}
	_, ok := k.newItem().(*unstructured.Unstructured)
	return ok
}

// take passes an item to the caller's function.
func (k *sink) take(item runtime.Object) error {
	if err := k.each(item); err != nil {
		return &callersError{err: err}
	}
	return nil
}

// items decodes the items of a list of that kind and passes them on.
func (k *sink) items(s *scratch, list schema.GroupVersionKind, f *field) error {
	if k.started {
		return errItemsAgain
	}
	k.started = true
	if s.dec.PeekKind() != '[' {
		return s.general(reflect.New(f.typ).Interface())
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	for i := 0; s.dec.PeekKind() != ']'; i++ {
		s.nextPart()
		item := k.newItem()
		v := reflect.ValueOf(item).Elem()
		var err error
		if k.tolerant {
			item, err = k.item(s, list, i, item, f.item)
		} else {
			err = s.fields(v, f.item)
		}
		if err != nil {
			return inItem(i, v, err)
		}
		if err := k.take(item); err != nil {
			return err
		}
	}
	s.nextPart()
	_, err := s.dec.ReadToken()
	return err
}

// handOver passes on the items of a list that was decoded as a whole.
func (k *sink) handOver(list runtime.Object) error {
	at, err := meta.GetItemsPtr(list)
	if err != nil {
		return err
	}
	items, err := meta.ExtractList(list)
	if err != nil {
		return err
	}
	reflect.ValueOf(at).Elem().SetZero()
	for _, item := range items {
		if v := reflect.ValueOf(item); !v.IsValid() || v.IsNil() {
			item = k.newItem()
		}
		if err := k.each(item); err != nil {
			return err
		}
	}
	return nil
}
