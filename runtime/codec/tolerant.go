package codec

import (
	"errors"
	"io"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
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

// item decodes the item of that index into item, which is empty, and returns it or an Undecodable. It reads the
// text of an item before decoding it, since a reader cannot be rewound.
func (k *sink) item(s *scratch, list schema.GroupVersionKind, index int, item runtime.Object, sh *shape) (runtime.Object, error) {
	data, err := s.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	in := scratchBytes(data)
	defer in.putBytes()
	if err := in.fields(reflect.ValueOf(item).Elem(), sh); err != nil {
		if u := undecodable(data, newItemError(list, index, item, err)); u != nil {
			return u, nil
		}
		return nil, err
	}
	return item, nil
}

// newItemError returns the error of an item, given the decoded part of it, whose text was decoded separately.
func newItemError(list schema.GroupVersionKind, index int, item any, err error) *Error {
	kind := list.GroupVersion().WithKind(strings.TrimSuffix(list.Kind, "List"))
	e := &Error{GVK: kind, Index: index, Err: err, Pointer: pointer(err)}
	e.tell(item)
	return e
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
		item := reflect.New(typ).Interface().(runtime.Object)
		if err := json.Unmarshal(text, item); err != nil {
			named := newItemError(*gvk, i, item, err)
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
	s := scratchBytes(data)
	defer s.putBytes()
	if tok, err := s.dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil, nil, false
	}
	var after int64 // the items, in data
	for s.dec.PeekKind() == '"' {
		name, err := s.unquoted()
		if err != nil {
			return nil, nil, false
		}
		if string(name) != "items" {
			if err := s.dec.SkipValue(); err != nil {
				return nil, nil, false
			}
			continue
		}
		if after > 0 || s.dec.PeekKind() != '[' {
			return nil, nil, false
		}
		if _, err := s.dec.ReadToken(); err != nil {
			return nil, nil, false
		}
		rest = append(rest, data[:s.dec.InputOffset()]...)
		for s.dec.PeekKind() != ']' {
			text, err := s.dec.ReadValue()
			if err != nil {
				return nil, nil, false
			}
			end := int(s.dec.InputOffset())
			items = append(items, data[end-len(text):end])
		}
		if _, err := s.dec.ReadToken(); err != nil {
			return nil, nil, false
		}
		after = s.dec.InputOffset()
	}
	rest = append(append(rest, ']'), data[after:]...)
	return rest, items, after > 0
}

// undecodable returns the replacement of the object with the text data, or nil if data is not one JSON object
// with a clear identity.
func undecodable(data []byte, err *Error) *Undecodable {
	s := scratchBytes(data)
	defer s.putBytes()
	u := &Undecodable{}
	if tok, err := s.dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil
	}
	for s.dec.PeekKind() == '"' {
		name, err := s.unquoted()
		if err != nil {
			return nil
		}
		if string(name) == "metadata" {
			err = s.identity(&u.ObjectMeta)
		} else {
			err = s.dec.SkipValue()
		}
		if err != nil {
			return nil
		}
	}
	if _, err := s.dec.ReadToken(); err != nil || s.end() != nil || u.Name == "" {
		return nil
	}
	named := *err
	named.Namespace, named.Name = u.Namespace, u.Name
	u.Err = &named
	u.SetGroupVersionKind(named.GVK)
	return u
}

var errUnnamed = errors.New("object's name or namespace is not a string")

// identity decodes the identifying fields of metadata. An unreadable namespace is an error, since the object
// would be mistaken for one without.
func (s *scratch) identity(m *metav1.ObjectMeta) error {
	switch s.dec.PeekKind() {
	case 'n':
		return s.dec.SkipValue()
	case '{':
	default:
		return errUnnamed
	}
	return s.members(m, func(name []byte) error {
		must := false
		var set func(string)
		switch string(name) {
		case "name":
			must, set = true, m.SetName
		case "namespace":
			must, set = true, m.SetNamespace
		case "uid":
			set = func(uid string) { m.UID = types.UID(uid) }
		case "resourceVersion":
			set = m.SetResourceVersion
		}
		switch kind := s.dec.PeekKind(); {
		case set != nil && kind == '"':
			b, err := s.unquoted()
			if err == nil {
				set(string(b))
			}
			return err
		case must && kind != 'n':
			return errUnnamed
		default:
			return s.dec.SkipValue()
		}
	})
}
