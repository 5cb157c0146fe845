package codec

import (
	"bytes"
	"errors"
	"io"
	"reflect"

	"github.com/go-json-experiment/json"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// errUnclear reports that apimachinery's decoder must determine the kind of a text, or its error.
var errUnclear = errors.New("object's kind and apiVersion are not first, or change")

// head is the beginning of an object: its kind and apiVersion.
type head struct {
	apiVersion, kind string
	gvk              schema.GroupVersionKind
	// next is the name of the first member after them, whose value has not been read; more reports
	// whether there is one.
	next string
	more bool
}

// head reads the members before the first that is neither kind nor
// apiVersion. It returns errUnclear unless both are there.
func (s *scratch) head() (head, error) {
	var h head
	if tok, err := s.dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return h, errUnclear
	}
	for s.dec.PeekKind() == '"' {
		name, err := s.unquoted()
		if err != nil {
			return h, errUnclear
		}
		var value *string
		switch {
		case string(name) == "kind":
			value = &h.kind
		case string(name) == "apiVersion":
			value = &h.apiVersion
		default:
			h.next, h.more = s.intern(name), true
		}
		if h.more {
			break
		}
		if s.dec.PeekKind() != '"' {
			return h, errUnclear
		}
		b, err := s.unquoted()
		if err != nil {
			return h, errUnclear
		}
		*value = s.intern(b)
	}
	return h, h.parse()
}

// parse parses the head.
func (h *head) parse() error {
	gv, err := schema.ParseGroupVersion(h.apiVersion)
	if err != nil || h.kind == "" || gv.Version == "" {
		return errUnclear
	}
	h.gvk = gv.WithKind(h.kind)
	return nil
}

// headAnywhere returns the head of data if it is not first, as in lists of custom resources, whose members API
// servers sort. It reads the whole text, and starts again: next is the first member, whichever that is.
func (s *scratch) headAnywhere(data []byte) (head, error) {
	var h head
	s.reset(data)
	if tok, err := s.dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return h, errUnclear
	}
	for s.dec.PeekKind() == '"' {
		name, err := s.unquoted()
		if err != nil {
			return h, errUnclear
		}
		if !h.more {
			h.next, h.more = s.intern(name), true
		}
		value := &h.kind
		if string(name) == "apiVersion" {
			value = &h.apiVersion
		} else if string(name) != "kind" {
			value = nil
		}
		if value == nil || s.dec.PeekKind() != '"' {
			if s.dec.SkipValue() != nil {
				return h, errUnclear
			}
			continue
		}
		b, err := s.unquoted()
		if err != nil {
			return h, errUnclear
		}
		*value = s.intern(b)
	}
	if err := h.parse(); err != nil {
		return h, err
	}
	s.reset(data)
	for range 2 { // the opening brace and the first name
		if _, err := s.dec.ReadToken(); err != nil {
			return h, errUnclear
		}
	}
	return h, nil
}

// isTypeName reports whether encoding/json would take name, in whatever case, for
// kind or apiVersion. (Two of their letters have relatives of other lengths.)
func isTypeName(name []byte) bool {
	switch len(name) {
	case 4, 6:
		return bytes.EqualFold(name, []byte("kind"))
	case 10, 11:
		return bytes.EqualFold(name, []byte("apiVersion"))
	}
	return false
}

// body decodes the rest of the object with the head h, and the end of the text after it, into v,
// which is empty. sink, if not nil, decodes items.
func (s *scratch) body(h head, v reflect.Value, sh *shape, sink func() error) error {
	for _, f := range [...]struct{ name, value string }{{"kind", h.kind}, {"apiVersion", h.apiVersion}} {
		if f.value == "" {
			continue
		}
		if field := sh.fields[f.name]; field != nil {
			v.FieldByIndex(field.index).SetString(f.value)
		}
	}
	name, more := []byte(h.next), h.more
	for more {
		if err := s.member(&h, name, v, sh, sink); err != nil {
			return err
		}
		if more = s.dec.PeekKind() != '}'; more {
			var err error
			if name, err = s.unquoted(); err != nil {
				return err
			}
		}
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	return s.end()
}

var errTrailing = errors.New("more than one value")

// end reports whether the text is at its end.
func (s *scratch) end() error {
	_, err := s.dec.ReadToken()
	if err == nil {
		return errTrailing
	}
	if err == io.EOF { //nolint:errorlint // a wrapped one is a failure of the reader
		return nil
	}
	return err
}

// member decodes the value of the member of that name.
func (s *scratch) member(h *head, name []byte, v reflect.Value, sh *shape, sink func() error) error {
	if isTypeName(name) {
		return s.again(h, name)
	}
	f := sh.fields[string(name)]
	switch {
	case f == nil:
		return s.dec.SkipValue()
	case f.how == items && sink != nil:
		return sink()
	default:
		return s.field(f, v)
	}
}

// again reads a repeated kind or apiVersion, which must not change.
func (s *scratch) again(h *head, name []byte) error {
	known := h.kind
	if len(name) > len("kind")+2 {
		known = h.apiVersion
	}
	switch s.dec.PeekKind() {
	case 'n':
		return s.dec.SkipValue()
	case '"':
		if b, err := s.unquoted(); err != nil || string(b) == known {
			return err
		}
	}
	return errUnclear
}

// fields decodes an object into the struct v.
func (s *scratch) fields(v reflect.Value, sh *shape) error {
	return s.members(v.Addr().Interface(), func(name []byte) error {
		if f := sh.fields[string(name)]; f != nil {
			return s.field(f, v)
		}
		return s.dec.SkipValue()
	})
}

// members decodes an object into what out points to, each member by a function for its name; other
// values are decoded by reflection.
func (s *scratch) members(out any, member func(name []byte) error) error {
	if s.dec.PeekKind() != '{' {
		return s.general(out)
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	for s.dec.PeekKind() != '}' {
		name, err := s.unquoted()
		if err != nil {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
	}
	_, err := s.dec.ReadToken()
	return err
}

// field decodes a value into the field of the struct v.
func (s *scratch) field(f *field, v reflect.Value) error {
	v = v.FieldByIndex(f.index)
	switch f.how {
	case object:
		return s.objectMeta(v.Addr().Interface().(*metav1.ObjectMeta))
	case items:
		return s.items(f, v)
	case text:
		if s.dec.PeekKind() == '"' {
			b, err := s.unquoted()
			if err == nil {
				v.SetString(s.intern(b))
			}
			return err
		}
	}
	return s.value(f, v)
}

// value decodes a value into the field v by reflection.
func (s *scratch) value(f *field, v reflect.Value) error {
	if f.values {
		return json.UnmarshalDecode(s.dec, v.Addr().Interface(), functions)
	}
	return s.general(v.Addr().Interface())
}
