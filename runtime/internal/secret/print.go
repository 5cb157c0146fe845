package secret

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
)

// ErrNotEncoded is returned by types with credentials when they are encoded as data.
var ErrNotEncoded = errors.New("value contains credentials, which are not encoded")

// Format writes text for every verb, so that fmt never reads the fields of a type whose Format method calls it.
func Format(state fmt.State, verb rune, text string) {
	switch verb {
	case 's', 'q', 'x', 'X':
		_, _ = fmt.Fprintf(state, fmt.FormatString(state, verb), text)
	default:
		_, _ = io.WriteString(state, text)
	}
}

// Struct is the printed form of a struct: it contains only the added fields. Fields with zero values are
// omitted.
type Struct struct {
	name   string
	fields []string
}

// NewStruct returns an empty printed form of a struct of the type name.
func NewStruct(name string) *Struct {
	return &Struct{name: name}
}

// Field adds a field that is not secret.
func (s *Struct) Field(name string, value any) *Struct {
	if v := reflect.ValueOf(value); v.IsValid() && !v.IsZero() {
		if d, ok := value.(time.Duration); ok {
			value = d.String()
		}
		s.fields = append(s.fields, fmt.Sprintf("%s:%#v", name, value))
	}
	return s
}

// Secret adds a field of which only the presence is shown.
func (s *Struct) Secret(name string, set bool) *Struct {
	if set {
		s.fields = append(s.fields, name+":"+Mark)
	}
	return s
}

// Data adds a field of which only the size in bytes is shown.
func (s *Struct) Data(name string, data []byte) *Struct {
	if len(data) > 0 {
		s.fields = append(s.fields, fmt.Sprintf("%s:[%d bytes]", name, len(data)))
	}
	return s
}

// Type adds a field of which only the dynamic type is shown: a function or an interface.
func (s *Struct) Type(name string, value any) *Struct {
	if v := reflect.ValueOf(value); v.IsValid() && !v.IsZero() {
		s.fields = append(s.fields, fmt.Sprintf("%s:(%T)", name, value))
	}
	return s
}

// String returns the printed form.
func (s *Struct) String() string {
	return s.name + "{" + strings.Join(s.fields, ", ") + "}"
}

// As returns the printed form of a struct under the name of another type with the same fields.
func As(name string, printed fmt.Stringer) string {
	_, fields, _ := strings.Cut(printed.String(), "{")
	return name + "{" + fields
}
