package rest

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var (
	errNoObject    = errors.New("the answer is not an object of an API")
	errNoAPIMember = fmt.Errorf("%w: it has neither kind nor apiVersion nor metadata nor items", errNoObject)
)

// objectError returns the error that an answer is where obj was wanted. A Status of success is none: it may
// answer a request to a subresource.
func objectError(got, obj runtime.Object) error {
	if _, ok := got.(*metav1.Status); ok && got != obj || obj == nil {
		return statusError(got)
	}
	return listError(got, obj)
}

// listError returns the error that an answer is where list was wanted.
func listError(got, list runtime.Object) error {
	if got == list {
		return nil
	}
	if err := statusError(got); err != nil {
		return err
	}
	return fmt.Errorf("the server answered with a %T where a %T was wanted", got, list)
}

// isEmpty reports whether nothing of an answer went into obj.
func isEmpty(obj runtime.Object) bool {
	v := reflect.ValueOf(obj)
	return v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().IsZero()
}

// notObjectError returns the error that an answer in JSON is, by its beginning, that was decoded into an empty object,
// or nil where an empty object is what the server means.
//
// Decoders take a text without a kind for one of the kind that is wanted, as apimachinery does. So null, or
// what a proxy has to say in JSON, would be an object without a name, or a list that says that there is
// nothing any more.
func notObjectError(beginning []byte) error {
	beginning = bytes.TrimLeft(beginning, " \t\r\n")
	if len(beginning) == 0 || beginning[0] != '{' {
		return errNoObject
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(beginning), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadToken(); err != nil {
		return errNoObject
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return errNoAPIMember
		}
		switch name.String() {
		case "kind", "apiVersion", "metadata", "items":
			return nil
		}
		if err := dec.SkipValue(); err != nil {
			return errNoAPIMember
		}
	}
	return errNoAPIMember
}

// pageError returns the error of decoding an answer that begins so.
func pageError(err error, beginning []byte) error {
	if bytes.HasPrefix(bytes.TrimLeft(beginning, " \t\r\n"), []byte("<")) {
		return fmt.Errorf("%w (is it a page of a proxy or a login?)", err)
	}
	return err
}
