package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec/internal/protobuf"
	"github.com/listwatch/listwatch/runtime/codec/internal/table"
)

// Form encodes the objects of a type for the process's own use, and decodes them: by protobuf if the methods of the type encode
// all of an object, otherwise as JSON. The kind and the apiVersion of a typed object are not encoded. Equal objects have equal
// texts. A Form is safe for concurrent use.
type Form struct {
	object   reflect.Type // a pointer
	table    *table.Table
	protobuf bool
	untyped  bool
	unsure   bool
}

// FormOf returns the form of a type of objects, a pointer to a struct. It returns an error if there is none.
func FormOf(object reflect.Type) (*Form, error) {
	f := &Form{object: object}
	switch {
	case object == reflect.TypeFor[*unstructured.Unstructured]():
		f.untyped = true
		return f, nil
	case object.Kind() != reflect.Pointer || object.Elem().Kind() != reflect.Struct:
		return nil, fmt.Errorf("objects of type %v cannot be encoded: not a pointer to a struct", object)
	case !object.Implements(reflect.TypeFor[runtime.Object]()) || object.Implements(reflect.TypeFor[runtime.Unstructured]()):
		return nil, fmt.Errorf("objects of type %v cannot be encoded: not a typed API object", object)
	}
	if err := clearKind(reflect.New(object.Elem()).Interface().(runtime.Object)); err != nil {
		return nil, fmt.Errorf("objects of type %v cannot be encoded: %w", object, err)
	}
	if object.Implements(reflect.TypeFor[interface{ Marshal() ([]byte, error) }]()) && protobuf.IsWhole(object.Elem()) {
		f.protobuf = true
		return f, nil
	}
	f.table = table.Of(object.Elem())
	f.unsure = f.table == nil || len(table.Explain(object.Elem())) > 0
	return f, nil
}

// IsSure reports whether decoding gives back all objects of the type that came from a server: no method of a user's type
// encodes or decodes a part of them.
func (f *Form) IsSure() bool { return !f.unsure }

// TakesTexts reports whether the message of a [Text] of the type can be decoded.
func (f *Form) TakesTexts() bool { return f.protobuf }

// Encode returns the text of an object.
func (f *Form) Encode(obj runtime.Object) ([]byte, error) {
	if f.untyped {
		u, _ := obj.(*unstructured.Unstructured)
		if u == nil || u.Object == nil {
			return nil, errors.New("no object")
		}
		return appendUntyped(nil, u.Object, 0)
	}
	if f.protobuf {
		m, ok := obj.(interface{ Marshal() ([]byte, error) })
		if !ok {
			return nil, fmt.Errorf("%T is not a %v", obj, f.object)
		}
		return m.Marshal()
	}
	if obj.GetObjectKind().GroupVersionKind() != (schema.GroupVersionKind{}) {
		v := reflect.New(f.object.Elem())
		v.Elem().Set(reflect.ValueOf(obj).Elem())
		obj = v.Interface().(runtime.Object)
		if err := clearKind(obj); err != nil {
			return nil, err
		}
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // texts of raw values stay as they are
	if err := e.Encode(obj); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// Decode returns a new object with a text that Encode returned. The caller owns it; it does not reference the text. If secret is
// set, decoders remember nothing of it.
func (f *Form) Decode(text []byte, secret bool) (runtime.Object, error) {
	if f.untyped {
		return f.decodeUntyped(text, secret)
	}
	v := reflect.New(f.object.Elem())
	switch {
	case f.protobuf:
		if protobuf.DecodeWhole(text, v, secret) {
			break
		}
		v.Elem().SetZero()
		if err := v.Interface().(interface{ Unmarshal([]byte) error }).Unmarshal(text); err != nil {
			return nil, err
		}
	default:
		if f.table != nil && f.decodeTyped(text, v, secret) {
			break
		}
		v.Elem().SetZero()
		if err := table.Exact(text, v); err != nil {
			return nil, err
		}
	}
	return v.Interface().(runtime.Object), nil
}

// session returns one that is to be released.
func (f *Form) session(secret bool) *session {
	s := sessions.Get().(*session)
	s.secrets = secret
	s.keep(f.object.Elem().Name())
	return s
}

func (f *Form) decodeTyped(text []byte, v reflect.Value, secret bool) bool {
	s := f.session(secret)
	defer s.release()
	return s.Object(text, 0, f.table, v) == len(text)
}

func (f *Form) decodeUntyped(text []byte, secret bool) (runtime.Object, error) {
	s := f.session(secret)
	defer s.release()
	s.Begin(text)
	v, next := s.Any(0)
	if next != len(text) {
		v = nil
		if err := table.Exact(text, reflect.ValueOf(&v)); err != nil {
			return nil, err
		}
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, errNoObject
	}
	return &unstructured.Unstructured{Object: object}, nil
}

// IsSecret reports whether an object is a Secret, or may be one. Of which kind metadata is, it does not know.
func IsSecret(obj runtime.Object) bool {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return u.GetKind() == "Secret" || u.GetKind() == ""
	}
	return IsSecretType(reflect.TypeOf(obj))
}

// IsSecretType is [IsSecret] for typed objects of a type.
func IsSecretType(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Name() == "Secret"
}
