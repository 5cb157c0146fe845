package codec

import (
	"bytes"
	"reflect"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// functions decode types whose own methods would parse their text again, and those for which apimachinery has
// special rules.
var functions = json.WithUnmarshalers(json.JoinUnmarshalers(
	json.UnmarshalFromFunc(decodeTime),
	json.UnmarshalFromFunc(decodeMicroTime),
	json.UnmarshalFromFunc(decodeIntOrString),
	json.UnmarshalFromFunc(decodeDuration),
	json.UnmarshalFromFunc(decodeConditions),
	json.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *any) (err error) {
		s := bytesPool.Get().(*scratch)
		own := s.dec
		s.dec = dec
		*v, err = s.any()
		s.dec = own
		s.dropUntyped()
		bytesPool.Put(s)
		return err
	}),
))

// hasFunction reports whether t is one of the types of functions.
func hasFunction(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime](),
		reflect.TypeFor[intstr.IntOrString](), reflect.TypeFor[any](), reflect.TypeFor[metav1.Duration]():
		return true
	}
	return false
}

func decodeTime(dec *jsontext.Decoder, t *metav1.Time) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if parsed, ok := parseTime(raw); ok {
		t.Time = parsed
		return nil
	}
	return at(dec, t.UnmarshalJSON(raw))
}

// parseTime parses the literal of a time in RFC 3339. The more lenient time.Parse may accept further literals.
func parseTime(raw []byte) (time.Time, bool) {
	var t time.Time
	if len(raw) < 2 || raw[0] != '"' || t.UnmarshalText(raw[1:len(raw)-1]) != nil {
		return time.Time{}, false
	}
	return t.Local(), true
}

func decodeMicroTime(dec *jsontext.Decoder, t *metav1.MicroTime) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	return at(dec, t.UnmarshalJSON(raw))
}

func decodeIntOrString(dec *jsontext.Decoder, v *intstr.IntOrString) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	switch n, err := strconv.ParseInt(string(raw), 10, 32); {
	case err == nil:
		v.Type, v.IntVal = intstr.Int, int32(n)
		return nil
	case raw[0] == '"' && isPlain(raw):
		v.Type, v.StrVal = intstr.String, string(raw[1:len(raw)-1])
		return nil
	default:
		return at(dec, v.UnmarshalJSON(raw))
	}
}

// isPlain reports whether the literal of a string contains no escapes.
func isPlain(raw []byte) bool {
	for _, c := range raw {
		if c == '\\' || c >= 0x80 {
			return false
		}
	}
	return true
}

// at returns the position of err in the text.
func at(dec *jsontext.Decoder, err error) error {
	if err == nil {
		return nil
	}
	return &json.SemanticError{JSONPointer: dec.StackPointer(), Err: err}
}

// any decodes an untyped value, with whole numbers as int64.
func (s *scratch) any() (any, error) {
	switch s.dec.PeekKind() {
	case '{':
		return s.anyObject()
	case '[':
		return s.anyArray()
	}
	raw, err := s.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	switch raw.Kind() {
	case '"':
		return s.internValue(s.unquote(raw)), nil
	case '0':
		return s.number(raw)
	case 't':
		return true, nil
	case 'f':
		return false, nil
	default:
		return nil, nil
	}
}

// anyArray decodes an array. The next token must be a '['.
func (s *scratch) anyArray() ([]any, error) {
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, err
	}
	first := len(s.elements)
	for s.dec.PeekKind() != ']' {
		v, err := s.any()
		if err != nil {
			return nil, err
		}
		s.elements = append(s.elements, v)
	}
	list := append(make([]any, 0, len(s.elements)-first), s.elements[first:]...)
	clear(s.elements[first:])
	s.elements = s.elements[:first]
	_, err := s.dec.ReadToken()
	return list, err
}

// anyObject decodes an object into a map. The next token must be a '{'.
func (s *scratch) anyObject() (map[string]any, error) {
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, err
	}
	first := len(s.untyped)
	for s.dec.PeekKind() != '}' {
		name, err := s.unquoted()
		if err != nil {
			return nil, err
		}
		key := s.intern(name)
		v, err := s.any()
		if err != nil {
			return nil, err
		}
		s.untyped = append(s.untyped, member{key, v})
	}
	m := make(map[string]any, len(s.untyped)-first)
	for _, member := range s.untyped[first:] {
		m[member.name] = member.value
	}
	clear(s.untyped[first:])
	s.untyped = s.untyped[:first]
	_, err := s.dec.ReadToken()
	return m, err
}

func (s *scratch) number(raw []byte) (any, error) {
	if bytes.IndexByte(raw, '.') < 0 {
		if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
			return n, nil
		}
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return nil, at(s.dec, strconv.ErrRange)
	}
	return f, nil
}
