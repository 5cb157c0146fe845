package codec

import (
	"errors"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Fast decodes without falling back to apimachinery's decoder. It returns false if that has to
// decode the text.
func Fast(d StreamDecoder, data []byte, into runtime.Object) (obj runtime.Object, ok bool, err error) {
	obj, _, err = d.(interface {
		fast(data []byte, into runtime.Object) (runtime.Object, schema.GroupVersionKind, error)
	}).fast(data, into)
	if errors.Is(err, errUnclear) {
		return nil, false, nil
	}
	return obj, true, err
}

// OnlyInStreams reports whether err is an error that only occurs for lists decoded from a reader.
func OnlyInStreams(err error) bool {
	return errors.Is(err, errUnclear) || errors.Is(err, errItemsAgain)
}

// Vetted reports whether values of the type are decoded in one pass.
func Vetted(t reflect.Type) bool {
	v := vetter{seen: map[reflect.Type]bool{}}
	return v.vet(t)
}
