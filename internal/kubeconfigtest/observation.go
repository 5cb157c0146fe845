package kubeconfigtest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Observation is what a library makes of one aspect of a case.
type Observation struct {
	Aspect string
	// Value is printed by Dump.
	Value string
	Err   error
	// Kinds are what the library's functions report about Err.
	Kinds string
}

// Dump prints the exported fields of v, except those with zero values, without names of types, so that equal values
// of types with the same fields in two packages print the same. Of functions only the presence is printed.
func Dump(v any) string {
	var b strings.Builder
	dump(&b, reflect.ValueOf(v), "")
	return b.String()
}

func dump(b *strings.Builder, v reflect.Value, indent string) {
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Pointer, reflect.Interface:
		dump(b, v.Elem(), indent)
	case reflect.Func, reflect.Chan:
		b.WriteString(v.Kind().String())
	case reflect.Struct:
		b.WriteString("{")
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && !v.Field(i).IsZero() {
				fmt.Fprintf(b, "\n%s\t%s: ", indent, field.Name)
				dump(b, v.Field(i), indent+"\t")
			}
		}
		b.WriteString("}")
	case reflect.Map:
		b.WriteString("map{")
		keys := map[string]reflect.Value{}
		for _, key := range v.MapKeys() {
			keys[fmt.Sprint(key)] = key
		}
		for _, name := range slices.Sorted(maps.Keys(keys)) {
			fmt.Fprintf(b, "\n%s\t%q: ", indent, name)
			dump(b, v.MapIndex(keys[name]), indent+"\t")
		}
		b.WriteString("}")
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			fmt.Fprintf(b, "%q", v.Bytes())
			return
		}
		b.WriteString("[")
		for i := range v.Len() {
			fmt.Fprintf(b, "\n%s\t", indent)
			dump(b, v.Index(i), indent+"\t")
		}
		b.WriteString("]")
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	default:
		fmt.Fprint(b, v)
	}
}
