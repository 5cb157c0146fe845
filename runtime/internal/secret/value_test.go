package secret_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"

	"k8s.io/klog/v2/textlogger"

	_ "github.com/listwatch/listwatch/internal/golden" // for the flag -update
	"github.com/listwatch/listwatch/runtime/internal/secret"
)

const planted = "s3cr3t-t0ken"

// holders hold a Value in every way a struct of ours may.
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
			for _, out := range everyOutput(holder) {
				if strings.Contains(out, planted) || strings.Contains(out, fmt.Sprintf("%x", planted)) ||
					strings.Contains(out, fmt.Sprint([]byte(planted))) {
					t.Errorf("the secret is in %q", out)
				}
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
		t.Error("what is zero and what is not is mixed up")
	}
}

// everyOutput prints v in every way that this project knows of.
func everyOutput(v any) []string {
	var outputs []string
	for verb := 'A'; verb <= 'z'; verb++ {
		for _, flags := range []string{"", "+", "#", "-30", " ", "0"} {
			outputs = append(outputs, fmt.Sprintf("%"+flags+string(verb), v))
		}
	}
	outputs = append(outputs, fmt.Sprint(v), fmt.Sprintln(v), errorOf(v).Error(), walk(reflect.ValueOf(v), 0))

	if data, err := json.Marshal(v); err == nil {
		outputs = append(outputs, string(data))
	} else {
		outputs = append(outputs, err.Error())
	}
	var buf bytes.Buffer
	slog.New(slog.NewTextHandler(&buf, nil)).Info("m", "v", v)
	slog.New(slog.NewJSONHandler(&buf, nil)).Info("m", "v", v)
	logr.FromSlogHandler(slog.NewJSONHandler(&buf, nil)).Info("m", "v", v)
	funcr.New(func(_, args string) { buf.WriteString(args) }, funcr.Options{}).Info("m", "v", v)
	funcr.NewJSON(func(obj string) { buf.WriteString(obj) }, funcr.Options{}).Info("m", "v", v)
	textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&buf))).Info("m", "v", v)
	return append(outputs, buf.String())
}

func errorOf(v any) error {
	return fmt.Errorf("failed: %w: %v", errors.New("why"), v)
}

// walk prints what reflection finds, calling no method and following each pointer, as
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
