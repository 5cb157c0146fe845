package codec

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
)

// Fast decodes without falling back to apimachinery's decoder. It returns false if that has to
// decode the text.
func Fast(d StreamDecoder, data []byte, into runtime.Object) (obj runtime.Object, ok bool) {
	obj, tried := d.(interface {
		fast(data []byte, into runtime.Object) (runtime.Object, attempt)
	}).fast(data, into)
	return obj, tried.ok
}

// OnlyInStreams reports whether err is an error that only occurs for lists decoded from a reader.
func OnlyInStreams(err error) bool {
	return errors.Is(err, errUnclear) || errors.Is(err, errItemsAgain)
}
