package rest

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/compat"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

var (
	errNoObject    = errors.New("response is not a Kubernetes API object")
	errNoAPIMember = fmt.Errorf("%w: it has no kind, apiVersion, metadata or items", errNoObject)
)

// objectError returns the error of a response that is not obj. A Status of success is accepted: subresources
// may return one.
func objectError(got, obj runtime.Object) error {
	if _, ok := got.(*metav1.Status); ok && got != obj || obj == nil {
		return statusError(got)
	}
	return listError(got, obj)
}

// listError returns the error of a response that is not list. If [compat.IsClientGo], only a Status is an error.
func listError(got, list runtime.Object) error {
	if got == list {
		return nil
	}
	if err := statusError(got); err != nil || compat.IsClientGo() {
		return err
	}
	return fmt.Errorf("server returned %T, want %T", got, list)
}

// isEmpty reports whether decoding left obj empty.
func isEmpty(obj runtime.Object) bool {
	v := reflect.ValueOf(obj)
	return v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().IsZero()
}

// notObjectError returns the error of a JSON response with this beginning that was decoded into an empty
// object, or nil if the server meant an empty object.
//
// Decoders assume the expected kind for a text without a kind, as apimachinery does. Without this check, null
// or the JSON of a proxy would become an object without a name, or a list that reports that nothing exists any
// more. It is an empty object if [compat.IsClientGo]: servers of tests respond with {}.
func notObjectError(beginning []byte) error {
	if compat.IsClientGo() {
		return nil
	}
	beginning = bytes.TrimLeft(beginning, " \t\r\n")
	if len(beginning) == 0 || beginning[0] != '{' {
		return errNoObject
	}
	s := jsonscan.Scanner{Text: beginning}
	err := errNoAPIMember
	s.Members(0, func(name []byte, _ uint64, i int) int {
		switch string(name) {
		case "kind", "apiVersion", "metadata", "items":
			err = nil
			return jsonscan.Bad
		}
		return jsonscan.Value(beginning, i)
	})
	return err
}

// pageError adds a hint to the error of decoding a response with this beginning if it is HTML, unless
// [compat.IsClientGo].
func pageError(err error, beginning []byte) error {
	if !compat.IsClientGo() && bytes.HasPrefix(bytes.TrimLeft(beginning, " \t\r\n"), []byte("<")) {
		return fmt.Errorf("%w (is it the page of a proxy or a login?)", err)
	}
	return err
}
