package secret_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/secret"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
)

const planted = "s3cr3t-t0ken"

// holders returns values that contain a Value in every way in which our structs may.
func holders() map[string]any {
	type exported struct{ Token secret.String }
	type unexported struct{ token secret.String }
	type nested struct {
		inner *unexported
		list  []secret.String
		byKey map[string]secret.String
		any   any
		bytes secret.Value[[]byte]
	}
	value := secret.New(planted)
	return map[string]any{
		"value":               value,
		"pointer":             &value,
		"exported":            exported{value},
		"pointer to exported": &exported{value},
		"unexported":          unexported{value},
		"to unexported":       &unexported{value},
		"nested": nested{
			inner: &unexported{value},
			list:  []secret.String{value},
			byKey: map[string]secret.String{"a": value},
			any:   value,
			bytes: secret.Of([]byte(planted)),
		},
	}
}

func TestValueIsNotPrinted(t *testing.T) {
	for name, holder := range holders() {
		t.Run(name, func(t *testing.T) {
			secrettest.Check(t, holder, planted)
			secrettest.CheckJSON(t, holder, planted)
			for _, verb := range []string{"%p", "%w", "%+w"} {
				if out := fmt.Sprintf(verb, holder); secrettest.Shows(out, planted) {
					t.Errorf("%s shows the secret: %q", verb, out)
				}
			}
			if out := walk(reflect.ValueOf(holder), 0); strings.Contains(out, planted) {
				t.Errorf("reflection finds the secret: %q", out)
			}
		})
	}
}

func TestValueShowsThatItIsThere(t *testing.T) {
	value := secret.New(planted)
	for _, out := range []string{value.String(), fmt.Sprint(value), fmt.Sprintf("%+v", struct{ T secret.String }{value})} {
		if !strings.Contains(out, secret.Mark) {
			t.Errorf("%q does not have the mark", out)
		}
	}
	if empty := fmt.Sprint(secret.New("")); empty != "" {
		t.Errorf("an empty value prints as %q", empty)
	}
}

func TestReveal(t *testing.T) {
	if got := secret.New(planted).Reveal(); got != planted {
		t.Errorf("revealed %q", got)
	}
	if got := secret.Of(42).Reveal(); got != 42 {
		t.Errorf("revealed %d", got)
	}
	var none secret.String
	if !none.IsZero() || none.Reveal() != "" || !secret.New("").IsZero() || secret.New("a").IsZero() {
		t.Error("IsZero is wrong")
	}
}

// walk prints everything that reflection finds, calling no methods and following each pointer, as
// go-spew does with DisableMethods.
func walk(v reflect.Value, depth int) string {
	if depth > 10 || !v.IsValid() {
		return ""
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return walk(v.Elem(), depth+1)
	case reflect.Struct:
		out := ""
		for i := range v.NumField() {
			out += v.Type().Field(i).Name + ":" + walk(v.Field(i), depth+1) + " "
		}
		return out
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
			return string(v.Bytes())
		}
		out := ""
		for i := range v.Len() {
			out += walk(v.Index(i), depth+1) + " "
		}
		return out
	case reflect.Map:
		out := ""
		for _, key := range v.MapKeys() {
			out += walk(key, depth+1) + ":" + walk(v.MapIndex(key), depth+1) + " "
		}
		return out
	case reflect.String:
		return v.String()
	default:
		return v.Kind().String()
	}
}
