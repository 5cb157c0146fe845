package cache

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// describeDifference returns the JSON paths of the fields in which two values of a type differ, and a line for each: its
// path, and its value before and after.
func describeDifference(before, after any) (fields []string, lines string) {
	var d difference
	if b, ok := before.(runtime.Unstructured); ok {
		if a, ok := after.(runtime.Unstructured); ok {
			before, after = b.UnstructuredContent(), a.UnstructuredContent()
		}
	}
	d.compare("", reflect.ValueOf(before), reflect.ValueOf(after))
	return d.fields, strings.Join(d.lines, "\n")
}

type difference struct{ fields, lines []string }

func (d *difference) compare(path string, before, after reflect.Value) {
	if !before.IsValid() || !after.IsValid() || before.Type() != after.Type() {
		d.add(path, before, after)
		return
	}
	switch before.Kind() {
	case reflect.Pointer, reflect.Interface:
		if before.IsNil() || after.IsNil() {
			if before.IsNil() != after.IsNil() {
				d.add(path, before, after)
			}
			return
		}
		d.compare(path, before.Elem(), after.Elem())
	case reflect.Struct:
		d.compareStructs(path, before, after)
	case reflect.Map:
		d.compareMaps(path, before, after)
	case reflect.Slice, reflect.Array:
		d.compareSlices(path, before, after)
	default:
		if !before.Equal(after) {
			d.add(path, before, after)
		}
	}
}

func (d *difference) compareStructs(path string, before, after reflect.Value) {
	if reflect.DeepEqual(before.Interface(), after.Interface()) {
		return
	}
	lines := len(d.lines)
	for i := range before.NumField() {
		field := before.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		name := path
		tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if tag != "" && tag != "-" {
			name += "." + tag
		} else if !field.Anonymous && options != "inline" {
			name += "." + field.Name
		}
		d.compare(name, before.Field(i), after.Field(i))
	}
	if len(d.lines) == lines {
		// The difference is in unexported fields, as in times and quantities.
		d.add(path, before, after)
	}
}

func (d *difference) compareMaps(path string, before, after reflect.Value) {
	keys := map[string]reflect.Value{}
	for _, m := range []reflect.Value{before, after} {
		for _, key := range m.MapKeys() {
			keys[fmt.Sprint(key)] = key
		}
	}
	for _, text := range slices.Sorted(maps.Keys(keys)) {
		key := keys[text]
		name := fmt.Sprintf("%s[%s]", path, text)
		if before.Type().Elem().Kind() == reflect.Interface && !strings.ContainsAny(text, "./[]") {
			name = path + "." + text // a field of an object without a type
		}
		d.compare(name, before.MapIndex(key), after.MapIndex(key))
	}
}

func (d *difference) compareSlices(path string, before, after reflect.Value) {
	if before.Type().Elem().Kind() == reflect.Uint8 {
		if !reflect.DeepEqual(before.Interface(), after.Interface()) {
			d.add(path, before, after)
		}
		return
	}
	at := func(v reflect.Value, i int) reflect.Value {
		if i < v.Len() {
			return v.Index(i)
		}
		return reflect.Value{}
	}
	for i := range max(before.Len(), after.Len()) {
		d.compare(fmt.Sprintf("%s[%d]", path, i), at(before, i), at(after, i))
	}
}

func (d *difference) add(path string, before, after reflect.Value) {
	path = strings.TrimPrefix(path, ".")
	d.fields = append(d.fields, path)
	d.lines = append(d.lines, fmt.Sprintf("  %s: %s -> %s", path, describeValue(before), describeValue(after)))
}

func describeValue(v reflect.Value) string {
	if !v.IsValid() {
		return "(none)"
	}
	const enough = 200
	text := fmt.Sprintf("%v", v)
	if v.Kind() == reflect.String {
		text = fmt.Sprintf("%q", v)
	}
	if len(text) > enough {
		text = text[:enough] + "..."
	}
	return text
}
