package rest

import (
	"io"
	"os"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec"
)

// Body sets the body. obj is one of
//   - []byte, which is sent unchanged and must not be modified until the request was sent;
//   - io.Reader, which is sent unchanged and prevents retries;
//   - string, the name of a file, which is read now;
//   - runtime.Object, which is encoded now in the request's format; this also sets the header Content-Type. A
//     nil pointer means no body. One that was cut (see [codec.CheckWhole]) is an error.
func (r *Request) Body(obj any) *Request {
	if r.err != nil {
		return r
	}
	switch t := obj.(type) {
	case string:
		data, err := os.ReadFile(t)
		if err != nil {
			r.err = err
			return r
		}
		r.setBody(nil, data)
	case []byte:
		r.setBody(nil, t)
	case io.Reader:
		r.setBody(t, nil)
	case runtime.Object:
		if v := reflect.ValueOf(t); v.Kind() == reflect.Pointer && v.IsNil() {
			return r
		}
		if r.err = codec.CheckWhole(t); r.err != nil {
			return r
		}
		data, err := r.encode(t)
		if err != nil {
			r.err = err
			return r
		}
		r.setBody(nil, data)
		r.SetHeader("Content-Type", r.content.ContentType)
	default:
		return r.fail("unknown type used for body: %T", obj)
	}
	return r
}

func (r *Request) setBody(reader io.Reader, data []byte) { r.body, r.bodyBytes = reader, data }

func (r *Request) encode(obj runtime.Object) ([]byte, error) {
	encoder, err := r.content.Negotiator.Encoder(r.content.ContentType, nil)
	if err != nil {
		return nil, err
	}
	return runtime.Encode(encoder, obj)
}
