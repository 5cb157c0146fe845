package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/compat"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// Error reports which object could not be decoded, and the position in it.
type Error struct {
	// GVK is the kind of the object, as far as it is known.
	GVK schema.GroupVersionKind
	// Namespace and Name are those of the object, empty if they are not in the part of the text that is JSON.
	Namespace, Name string
	// Index is the index of the object in its list, or -1 if it was not in one.
	Index int
	// Pointer is the JSON pointer (RFC 6901) of the invalid value, from the object's root, or empty if it is
	// unknown.
	Pointer string
	// Err is the cause: usually the error of apimachinery's decoder.
	Err error
}

// quoted is the maximum number of bytes of the cause's text: a cause may quote the value.
const quoted = 200

// Error implements error. If [compat.IsClientGo], it returns only the cause's text.
func (e *Error) Error() string {
	if compat.IsClientGo() {
		return e.Err.Error()
	}
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

// newError returns the error err of an object, or of an item in it if it is a list.
func newError(gvk schema.GroupVersionKind, text []byte, tried attempt, err error) *Error {
	e := &Error{GVK: gvk, Index: -1, Err: err, Pointer: pointer(text, tried, err)}
	if index, rest, ok := inItems(e.Pointer); ok && strings.HasSuffix(gvk.Kind, "List") {
		if item := itemText(text, index); item != nil {
			e.Index, e.Pointer = index, rest
			e.GVK.Kind = strings.TrimSuffix(gvk.Kind, "List")
			text = item
		}
	}
	e.identify(text)
	return e
}

// newItemError returns the error of the item of that index of a list of that kind.
func newItemError(list schema.GroupVersionKind, index int, text []byte, tried attempt, err error) *Error {
	kind := list.GroupVersion().WithKind(strings.TrimSuffix(list.Kind, "List"))
	e := &Error{GVK: kind, Index: index, Err: err, Pointer: pointer(text, tried, err)}
	e.identify(text)
	return e
}

// identify adds the identity of the object, as far as it is in the text.
func (e *Error) identify(text []byte) {
	id, _ := identify(text)
	e.Namespace, e.Name = id.namespace, id.name
	if e.Index >= 0 && id.kind != "" {
		if gv, err := schema.ParseGroupVersion(id.apiVersion); err == nil {
			e.GVK = gv.WithKind(id.kind)
		}
	}
}

// inItems splits the pointer to a value in an item.
func inItems(pointer string) (index int, rest string, ok bool) {
	after, ok := strings.CutPrefix(pointer, "/items/")
	if !ok {
		return 0, "", false
	}
	number, rest, more := strings.Cut(after, "/")
	if more {
		rest = "/" + rest
	}
	index, err := strconv.Atoi(number)
	return index, rest, err == nil
}

// itemText returns the text from the item of that index on, or nil.
func itemText(text []byte, index int) (item []byte) {
	s := jsonscan.Scanner{Text: text}
	s.Members(jsonscan.Space(text, 0), func(name []byte, _ uint64, i int) int {
		if string(name) != "items" {
			return jsonscan.Value(text, i)
		}
		n := 0
		return s.Elements(i, func(i int) int {
			if n == index {
				item = text[i:]
				return jsonscan.Bad
			}
			n++
			return jsonscan.Value(text, i)
		})
	})
	return item
}

// pointer returns the JSON pointer of the value in text that err is about, or "".
func pointer(text []byte, tried attempt, err error) string {
	if tried.invalid {
		return jsonscan.Pointer(text, tried.failedAt)
	}
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		// The error of a method is relative to its value, which is after the fallback too.
		if at := int(typ.Offset) - 1; at >= max(tried.failedAt, 0) && at < len(text) && tried.failedAt >= 0 {
			return jsonscan.Pointer(text, at)
		}
		if typ.Field != "" {
			return "/" + strings.ReplaceAll(typ.Field, ".", "/")
		}
		return ""
	}
	if at := invalidAt(text); at >= 0 {
		return jsonscan.Pointer(text, at)
	}
	return ""
}

// invalidAt returns the position from which on text is not JSON, or -1 if it is.
func invalidAt(text []byte) int {
	var raw json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(text, &raw); errors.As(err, &syntax) {
		return max(int(syntax.Offset)-1, 0)
	}
	return -1
}

// isCut reports whether text is the beginning of a value.
func isCut(text []byte) bool {
	var raw json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(text)).Decode(&raw), io.ErrUnexpectedEOF)
}

// size returns the length of a text that may be secret, to be printed in its place.
func size(data []byte) string { return fmt.Sprintf("%d bytes", len(data)) }

// explain returns the error for err of apimachinery's decoder. gvk is the kind that it found, or nil.
func (a attempt) explain(gvk *schema.GroupVersionKind, data []byte, err error) error {
	var decoding *Error
	switch {
	case runtime.IsMissingKind(err):
		return runtime.NewMissingKindErr(size(data))
	case runtime.IsMissingVersion(err):
		return runtime.NewMissingVersionErr(size(data))
	case runtime.IsNotRegisteredError(err), errors.As(err, &decoding):
		return err
	}
	if isCut(data) {
		err = io.ErrUnexpectedEOF
	}
	known := a.gvk
	if gvk != nil {
		known = *gvk
	}
	return newError(known, data, a, err)
}

// inList returns the error of a list whose head changes: its reader cannot be rewound.
func inList(err error) error { return fmt.Errorf("decode a list: %w", err) }

var (
	errNoTypeMeta = errors.New("object has no TypeMeta")
	errNoObject   = errors.New("item is not an object")
)
