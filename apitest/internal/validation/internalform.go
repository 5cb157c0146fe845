package validation

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// internal is a value of k8s.io/api whose JSON has the names of fields in Go. The real server puts its internal types
// into messages, which have no other names.
type internal struct{ value any }

// Internal returns a value of k8s.io/api whose JSON has the names of fields in Go, as messages of the real server have.
func Internal(value any) any { return internal{value} }

// MarshalJSON implements json.Marshaler.
func (v internal) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	err := writeInternal(&out, reflect.ValueOf(v.value))
	return out.Bytes(), err
}

func writeInternal(out *bytes.Buffer, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return writeInternal(out, v.Elem())
		}
	case reflect.Struct:
		if strings.HasPrefix(v.Type().PkgPath(), "k8s.io/api/") {
			out.WriteByte('{')
			if err := writeFields(out, v); err != nil {
				return err
			}
			out.WriteByte('}')
			return nil
		}
	case reflect.Slice:
		if v.IsNil() || v.Type().Elem().Kind() == reflect.Uint8 {
			break
		}
		out.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := writeInternal(out, v.Index(i)); err != nil {
				return err
			}
		}
		out.WriteByte(']')
		return nil
	}
	data, err := json.Marshal(v.Interface())
	out.Write(data)
	return err
}

// writeFields writes the fields of a struct, those of embedded structs among them.
func writeFields(out *bytes.Buffer, v reflect.Value) error {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous && strings.HasPrefix(f.Type.PkgPath(), "k8s.io/api/") {
			if err := writeFields(out, v.Field(i)); err != nil {
				return err
			}
			continue
		}
		var value bytes.Buffer
		if err := writeInternal(&value, v.Field(i)); err != nil {
			return err
		}
		text := value.String()
		if f.Anonymous { // metadata, whose fields have their names in JSON
			if text = strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}"); text == "" {
				continue
			}
		}
		if last := out.Bytes()[out.Len()-1]; last != '{' {
			out.WriteByte(',')
		}
		if !f.Anonymous {
			out.WriteString(`"` + f.Name + `":`)
		}
		out.WriteString(text)
	}
	return nil
}
