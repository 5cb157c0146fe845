package random

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Values are the values that fields have in objects, by the type of their struct and their name.
type Values map[string][]any

// Add adds the values in an object: what was decoded from JSON, and its type.
func (v Values) Add(value any, t reflect.Type) {
	for _, n := range nodesOf(value, t) {
		v[n.key] = append(v[n.key], n.value())
	}
}

// texts are what a string could be.
var texts = []string{"", "a", "Bad_Name", "a.b", "example.com/x", "http", "/data", "../x", "10.0.0.9", "fd00::1", "a b", "-a",
	"None", "*", strings.Repeat("a", 64), strings.Repeat("a", 254)}

// numbers are what an integer could be.
var numbers = []int64{0, 1, -1, 2, 3, 10, 79, 80, 100, 101, 600, 3600, 30001, 65535, 65536, 1<<31 - 1}

var special = map[reflect.Type][]any{
	reflect.TypeFor[resource.Quantity]():    {"1", "0", "-1", "100m", "1.5", "1Gi", "1e3"},
	reflect.TypeFor[intstr.IntOrString]():   {int64(1), int64(0), int64(-1), int64(65536), "50%", "150%", "http", "x%", "Bad_Name"},
	reflect.TypeFor[metav1.Time]():          {"2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"},
	reflect.TypeFor[metav1.MicroTime]():     {"2020-01-01T00:00:00.000000Z"},
	reflect.TypeFor[metav1.Duration]():      {"1s", "-1s", "0s"},
	reflect.TypeFor[runtime.RawExtension](): {map[string]any{"a": "b"}},
	reflect.TypeFor[[]byte]():               {"", "YQ=="},
}

// make returns a value of a type for a field.
func (v Values) make(r *rand.Rand, t reflect.Type, key string, depth int) any {
	t = target(t)
	if known := v[key]; len(known) > 0 && r.IntN(3) > 0 {
		return clone(pick(r, known))
	}
	if known := special[t]; known != nil {
		return pick(r, known)
	}
	switch t.Kind() {
	case reflect.Bool:
		return r.IntN(2) == 0
	case reflect.Int32, reflect.Int64, reflect.Int, reflect.Int8, reflect.Uint8, reflect.Float64:
		return pick(r, numbers)
	case reflect.Slice:
		return v.items(r, t, key, depth)
	case reflect.Map:
		return map[string]any{pick(r, texts[1:]): v.make(r, t.Elem(), key+"[]", depth-1)}
	case reflect.Struct:
		return v.object(r, t, depth)
	}
	return pick(r, texts)
}

func (v Values) items(r *rand.Rand, t reflect.Type, key string, depth int) []any {
	list := []any{}
	for range r.IntN(3) {
		list = append(list, v.make(r, t.Elem(), key+"[]", depth-1))
	}
	return list
}

func (v Values) object(r *rand.Rand, t reflect.Type, depth int) map[string]any {
	object := map[string]any{}
	fields := fieldsOf(t)
	if depth <= 0 || len(fields) == 0 {
		return object
	}
	for range 1 + r.IntN(3) {
		name := pick(r, slices.Sorted(maps.Keys(fields)))
		object[name] = v.make(r, fields[name], keyOf(t, name), depth-1)
	}
	return object
}

// target returns what a pointer type points to.
func target(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// fieldsOf returns the types of a struct's fields by their names in JSON.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case name == "" && f.Anonymous:
			maps.Copy(out, fieldsOf(target(f.Type)))
		default:
			out[name] = f.Type
		}
	}
	return out
}

// keyOf names a field in Values.
func keyOf(t reflect.Type, name string) string { return t.String() + "." + name }

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// clone copies a value that was decoded from JSON.
func clone(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, v := range value {
			out[k] = clone(v)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, v := range value {
			out[i] = clone(v)
		}
		return out
	}
	return value
}

// text returns a value as JSON.
func text(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
