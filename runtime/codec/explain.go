package codec

import (
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec/internal/table"
)

// SlowField is a field that is decoded by apimachinery's decoder, or by a method of its type. Only this field is,
// whatever else is in the object.
type SlowField struct {
	// Path is the path of the field, by the names of members in JSON; [] are the elements of an array and the values
	// of a map: "spec.ports[].range". It is empty if it is the whole type.
	Path string
	// Type is the Go type of the field.
	Type reflect.Type
	// Reason is why the field is slow.
	Reason string
}

// String returns the field and the reason in one line.
func (f SlowField) String() string {
	if f.Path == "" {
		return fmt.Sprintf("%v: %s", f.Type, f.Reason)
	}
	return fmt.Sprintf("%s (%v): %s", f.Path, f.Type, f.Reason)
}

// Explain returns the fields of a type of objects, a struct or a pointer to one, that are decoded slowly. A struct
// that is in several places is listed once. Explain is safe for concurrent use, and takes some microseconds per
// field if no object of the type has been decoded. Untyped objects have no fields.
func Explain(t reflect.Type) []SlowField {
	if t == nil || t.Implements(reflect.TypeFor[runtime.Unstructured]()) {
		return nil
	}
	var slow []SlowField
	for _, s := range table.Explain(t) {
		slow = append(slow, SlowField{Path: strings.TrimPrefix(s.Path, "."), Type: s.Type, Reason: s.Why})
	}
	return slow
}
