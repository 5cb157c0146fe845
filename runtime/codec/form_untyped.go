package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// maxUntypedDepth bounds the depth of untyped values, so that cycles end. API servers accept less.
const maxUntypedDepth = 10_000

// appendUntyped appends the JSON of a value in an untyped object. Unlike encoding/json, it tells integers from other numbers, so
// that decoding gives back both, and returns an error about texts that are not UTF-8 and types that JSON does not have.
func appendUntyped(to []byte, value any, depth int) ([]byte, error) {
	if depth > maxUntypedDepth {
		return nil, fmt.Errorf("untyped object has more than %d levels", maxUntypedDepth)
	}
	var err error
	switch v := value.(type) {
	case nil:
		return append(to, "null"...), nil
	case bool:
		return strconv.AppendBool(to, v), nil
	case int64:
		return strconv.AppendInt(to, v, 10), nil
	case float64:
		return appendFloat(to, v)
	case string:
		return appendText(to, v)
	case map[string]any:
		if v == nil {
			return nil, fmt.Errorf("untyped object has a nil map")
		}
		to = append(to, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				to = append(to, ',')
			}
			if to, err = appendText(to, key); err != nil {
				return nil, err
			}
			if to, err = appendUntyped(append(to, ':'), v[key], depth+1); err != nil {
				return nil, err
			}
		}
		return append(to, '}'), nil
	case []any:
		if v == nil {
			return nil, fmt.Errorf("untyped object has a nil slice")
		}
		to = append(to, '[')
		for i := range v {
			if i > 0 {
				to = append(to, ',')
			}
			if to, err = appendUntyped(to, v[i], depth+1); err != nil {
				return nil, err
			}
		}
		return append(to, ']'), nil
	default:
		return nil, fmt.Errorf("untyped object has a %T", value)
	}
}

// appendFloat appends a number so that it is not read as an integer.
func appendFloat(to []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("untyped object has the number %v", f)
	}
	start := len(to)
	to = strconv.AppendFloat(to, f, 'g', -1, 64)
	if !bytes.ContainsAny(to[start:], ".e") {
		to = append(to, ".0"...)
	}
	return to, nil
}

// appendText appends a string of JSON.
func appendText(to []byte, s string) ([]byte, error) {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			plain = false
			break
		}
	}
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("untyped object has a text that is not UTF-8: %q", s)
	}
	if plain {
		return append(append(append(to, '"'), s...), '"'), nil
	}
	text, err := json.Marshal(s)
	return append(to, text...), err
}
