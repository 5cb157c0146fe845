package codec

import (
	"errors"
	"io"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/codec/internal/table"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// tolerant is a decoder that returns an Undecodable instead of an error about an object.
type tolerant struct{ *decoder }

// Decode implements runtime.Decoder.
func (t tolerant) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	obj, gvk, err := t.decoder.Decode(data, defaults, into)
	var named *Error
	if err == nil || into != nil || !errors.As(err, &named) || !t.hasName(named.GVK) {
		return obj, gvk, err
	}
	if u := undecodable(data, named); u != nil {
		return u, &named.GVK, nil
	}
	return obj, gvk, err
}

// hasName reports whether objects of that kind have names, which a Status has not.
func (d *decoder) hasName(gvk schema.GroupVersionKind) bool {
	obj, err := d.scheme.New(gvk)
	if err != nil {
		return false
	}
	_, ok := obj.(metav1.ObjectMetaAccessor)
	return ok
}

// DecodeList implements StreamDecoder.
func (t tolerant) DecodeList(r io.Reader, list runtime.Object, newItem func() runtime.Object, each func(runtime.Object) error) (runtime.Object, error) {
	return t.stream(r, list, &sink{newItem: newItem, each: each, tolerant: true})
}

// apart decodes a list in tolerant mode whose items cannot be decoded one by one from a reader: each separately
// with the exact decoder. It returns false if the text is not such a list.
func (d *decoder) apart(data []byte, list runtime.Object, k *sink) (out runtime.Object, done bool, err error) {
	at, err := meta.GetItemsPtr(list)
	if err != nil {
		return nil, false, nil
	}
	typ := reflect.TypeOf(at).Elem().Elem()
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if _, ok := reflect.New(typ).Interface().(metav1.ObjectMetaAccessor); !ok {
		return nil, false, nil
	}
	rest, items, ok := split(data)
	if !ok {
		return nil, false, nil
	}
	out, gvk, err := d.Decode(rest, nil, list)
	if err != nil || out != list {
		return out, true, err
	}
	for i, text := range items {
		v := reflect.New(typ)
		item := v.Interface().(runtime.Object)
		if err := table.Exact(text, v); err != nil {
			named := newItemError(*gvk, i, text, untried, err)
			u := undecodable(text, named)
			if u == nil {
				return nil, true, named
			}
			item = u
		}
		if err := k.each(item); err != nil {
			return nil, true, err
		}
	}
	return list, true, nil
}

// split divides a list into the list without items and the texts of its items. It returns false if the text is
// not a list with one array of items.
func split(data []byte) (rest []byte, items [][]byte, ok bool) {
	s := jsonscan.Scanner{Text: data}
	first, after := -1, -1 // the items, in data
	end := s.Members(jsonscan.Space(data, 0), func(name []byte, _ uint64, i int) int {
		if string(name) != "items" {
			return jsonscan.Value(data, i)
		}
		if first >= 0 {
			return jsonscan.Bad
		}
		first = i
		after = s.Elements(i, func(i int) int {
			next := jsonscan.Value(data, i)
			if next >= 0 {
				items = append(items, data[i:next])
			}
			return next
		})
		return after
	})
	if end < 0 || after < 0 {
		return nil, nil, false
	}
	rest = append(append(append(rest, data[:first]...), "[]"...), data[after:]...)
	return rest, items, true
}

// undecodable returns the replacement of the object with the text data, or nil if data is not one JSON object
// with a clear identity.
func undecodable(data []byte, err *Error) *Undecodable {
	id, clear := identify(data)
	if !clear {
		return nil
	}
	named := *err
	named.Namespace, named.Name = id.namespace, id.name
	u := &Undecodable{Err: &named}
	u.Namespace, u.Name, u.UID, u.ResourceVersion = id.namespace, id.name, types.UID(id.uid), id.version
	u.SetGroupVersionKind(named.GVK)
	return u
}
