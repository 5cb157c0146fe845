package manifest

import (
	"bytes"
	"strconv"

	"go.yaml.in/yaml/v2"
)

// object is a JSON object whose members are in the order in which they are written.
type object []member

type member struct {
	name  string
	value any
}

// marshal appends an object to a text, as sigs.k8s.io/yaml writes it, by the library that it uses, but without
// its way through JSON, which takes most of the time.
func marshal(buf []byte, o object) ([]byte, error) {
	b := bytes.NewBuffer(buf)
	e := yaml.NewEncoder(b)
	if err := e.Encode(converted(o)); err != nil {
		return nil, err
	}
	err := e.Close()
	return b.Bytes(), err
}

// converted returns a value as the library knows it. It sorts the keys of maps.
func converted(value any) any {
	switch v := value.(type) {
	case object:
		o := make(yaml.MapSlice, len(v))
		for i, m := range v {
			o[i] = yaml.MapItem{Key: m.name, Value: converted(m.value)}
		}
		return o
	case map[string]any:
		o := make(map[string]any, len(v))
		for name, value := range v {
			o[name] = converted(value)
		}
		return o
	case []any:
		return convertedList(v)
	case []object:
		return convertedList(v)
	case float64:
		return number(v)
	}
	return value
}

func convertedList[T any](list []T) []any {
	all := make([]any, len(list))
	for i, v := range list {
		all[i] = converted(v)
	}
	return all
}

// number returns a number as YAML reads it from JSON: an integer if it is one of 64 bits.
func number(f float64) any {
	if f == 0 {
		return 0 // of either sign
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	return f
}
