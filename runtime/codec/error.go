package codec

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	jsonv1 "encoding/json"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Error reports which object could not be decoded, and the position in it.
type Error struct {
	// GVK is the kind of the object, as far as it is known.
	GVK schema.GroupVersionKind
	// Namespace and Name are those of the object, empty if decoding failed before they were read.
	Namespace, Name string
	// Index is the index of the object in its list, or -1 if it was not in one.
	Index int
	// Pointer is the JSON pointer (RFC 6901) of the invalid value, from the object's root, or empty if it is
	// unknown.
	Pointer string
	// Err is the cause.
	Err error
}

// quoted is the maximum number of bytes of the cause's text: a cause may quote the value.
const quoted = 200

// Error implements error.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("decode")
	if e.GVK.Kind != "" {
		fmt.Fprintf(&b, " %.100s", e.GVK.Kind)
		if gv := e.GVK.GroupVersion(); !gv.Empty() {
			fmt.Fprintf(&b, " (%.100s)", gv)
		}
	}
	switch {
	case e.Namespace != "":
		fmt.Fprintf(&b, " %.100s/%.255s", e.Namespace, e.Name)
	case e.Name != "":
		fmt.Fprintf(&b, " %.255s", e.Name)
	}
	if e.Index >= 0 {
		fmt.Fprintf(&b, ", item %d", e.Index)
	}
	if e.Pointer != "" {
		fmt.Fprintf(&b, ", at %.200s", e.Pointer)
	}
	cause := e.Err.Error()
	if len(cause) > quoted {
		cause = strings.ToValidUTF8(cause[:quoted], "") + "..."
	}
	b.WriteString(": " + cause)
	return b.String()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// newError returns the error err of an object, which contains what was decoded before err (nil for nothing).
func newError(gvk schema.GroupVersionKind, obj any, err error) *Error {
	e := &Error{GVK: gvk, Index: -1, Err: err, Pointer: pointer(err)}
	var in *itemError
	if errors.As(err, &in) {
		e.Index, e.Err, obj = in.index, in.err, in.item
		// Remove the prefix of the item from the pointer.
		e.Pointer = strings.TrimPrefix(e.Pointer, fmt.Sprintf("/items/%d", in.index))
		e.GVK.Kind = strings.TrimSuffix(gvk.Kind, "List")
	}
	e.tell(obj)
	return e
}

// tell adds the identity of the object, which was decoded into obj as far as possible.
func (e *Error) tell(obj any) {
	if v := reflect.ValueOf(obj); v.Kind() != reflect.Pointer || v.IsNil() {
		return
	}
	// The methods of an object that embeds its metadata by a pointer panic if it was not decoded:
	// nothing is known of it.
	defer func() { _ = recover() }()
	if known, ok := obj.(metav1.Object); ok {
		e.Namespace, e.Name = known.GetNamespace(), known.GetName()
	}
	if known, ok := obj.(runtime.Object); ok && e.Index >= 0 {
		if gvk := known.GetObjectKind().GroupVersionKind(); !gvk.Empty() {
			e.GVK = gvk
		}
	}
}

// pointer returns the JSON pointer in err.
func pointer(err error) string {
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		return string(semantic.JSONPointer)
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return string(syntactic.JSONPointer)
	}
	var typ *jsonv1.UnmarshalTypeError
	if errors.As(err, &typ) && typ.Field != "" {
		return "/" + strings.ReplaceAll(typ.Field, ".", "/")
	}
	return ""
}

// size returns the length of a text that may be secret, to be printed in its place.
func size(data []byte) string { return fmt.Sprintf("%d bytes", len(data)) }

// exactError returns the error for err of apimachinery's decoder.
func exactError(gvk *schema.GroupVersionKind, data []byte, err error) error {
	var decoding *Error
	switch {
	case runtime.IsMissingKind(err):
		return runtime.NewMissingKindErr(size(data))
	case runtime.IsMissingVersion(err):
		return runtime.NewMissingVersionErr(size(data))
	case runtime.IsNotRegisteredError(err), errors.As(err, &decoding):
		return err
	}
	var known schema.GroupVersionKind
	if gvk != nil {
		known = *gvk
	}
	return newError(known, nil, err)
}
