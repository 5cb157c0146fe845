package protobuf

import "reflect"

// IsWhole reports whether all of an object of a struct type, except its kind and apiVersion, is in the message that its methods
// encode, as their tags say.
func IsWhole(t reflect.Type) bool {
	if l := layoutOf(t); l == nil || l.why != "" {
		return false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if tag := f.Tag.Get("protobuf"); (tag == "" || tag == "-") && f.Name != "TypeMeta" {
			return false
		}
	}
	return true
}

// DecodeWhole decodes a message of a type for which [IsWhole] reports true, without an envelope, into the empty struct that into
// points to. If secret is set, nothing of the object is remembered.
func DecodeWhole(text []byte, into reflect.Value, secret bool) bool {
	s := new(session)
	if !secret {
		s = sessions.Get().(*session)
		defer sessions.Put(s)
	}
	defer s.drop()
	s.withoutManaged = false
	return s.object(layoutOf(into.Type().Elem()), into, text)
}
