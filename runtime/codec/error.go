package codec

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Error says which object could not be decoded, and where in it.
type Error struct {
	// GVK is the kind of the object, as far as it is known.
	GVK schema.GroupVersionKind
	// Namespace and Name are those of the object, or empty where decoding
	// failed before they were read.
	Namespace, Name string
	// Index is the place of the object in the list that held it, or -1.
	Index int
	// Pointer is the JSON pointer (RFC 6901) of the value that failed, from
	// the object's root, or empty where it is not known.
	Pointer string
	// Err is the cause.
	Err error
}

// Error implements error.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("decode")
	if e.GVK.Kind != "" {
		fmt.Fprintf(&b, " %s", e.GVK.Kind)
		if gv := e.GVK.GroupVersion(); !gv.Empty() {
			fmt.Fprintf(&b, " (%s)", gv)
		}
	}
	switch {
	case e.Namespace != "":
		fmt.Fprintf(&b, " %s/%s", e.Namespace, e.Name)
	case e.Name != "":
		fmt.Fprintf(&b, " %s", e.Name)
	}
	if e.Index >= 0 {
		fmt.Fprintf(&b, ", item %d", e.Index)
	}
	if e.Pointer != "" {
		fmt.Fprintf(&b, ", at %s", e.Pointer)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
