package codec

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Undecodable stands for an object of a list or watch that is JSON, but cannot be
// decoded into the object's type. It comes only in requests whose context is one of
// [Tolerate].
//
// Of its metadata it has the name, the namespace, the UID and the resource version.
// Name and namespace are those of the object; the others are empty where the text does
// not have them as strings.
type Undecodable struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	// Err says why the object could not be decoded.
	Err *Error
}

var (
	_ runtime.Object = (*Undecodable)(nil)
	_ metav1.Object  = (*Undecodable)(nil)
)

// DeepCopyObject implements [runtime.Object]. Both objects have the same error.
func (u *Undecodable) DeepCopyObject() runtime.Object {
	c := *u
	u.DeepCopyInto(&c.ObjectMeta)
	return &c
}

// toleranceKey is that of a context's value which says that it tolerates.
type toleranceKey struct{}

// Tolerate returns a context for requests that go on where an object cannot be
// decoded: an [*Undecodable] comes in its place. It holds for lists that are decoded
// item by item (see [StreamDecoder]) and for watches, in JSON, by the decoders of
// [ForScheme]. All others fail as without it.
//
// What is not JSON, what is of a kind that the scheme does not know, and what does not
// say its name and namespace clearly fails as without it, too.
func Tolerate(ctx context.Context) context.Context {
	return context.WithValue(ctx, toleranceKey{}, true)
}

// InContext returns the decoder for what a request with that context is answered:
// d, or, where the context is one of [Tolerate], one whose DecodeList, and whose
// Decode into no given object, return an [*Undecodable] instead of an error.
func InContext(ctx context.Context, d StreamDecoder) StreamDecoder {
	exact, ok := d.(*decoder)
	if !ok || ctx.Value(toleranceKey{}) == nil {
		return d
	}
	return tolerant{exact}
}
