package codec

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Undecodable stands for an object of a list or watch whose text is JSON, but cannot
// be decoded into the object's type. It comes only in requests whose context is one of
// [Tolerate].
//
// Of its metadata, it has the name, the namespace, the UID and the resource version;
// the name is never empty, while the others are where the text does not have them.
type Undecodable struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	// Err says why.
	Err *Error
}

var (
	_ runtime.Object = (*Undecodable)(nil)
	_ metav1.Object  = (*Undecodable)(nil)
)

// DeepCopyObject implements [runtime.Object]. The error is not copied.
func (u *Undecodable) DeepCopyObject() runtime.Object {
	c := *u
	u.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	return &c
}

type toleranceKey struct{}

// Tolerate returns a context with which lists that are decoded item by item, and
// watches, go on where an object cannot be decoded: an [Undecodable] comes in its
// place.
func Tolerate(ctx context.Context) context.Context {
	return context.WithValue(ctx, toleranceKey{}, true)
}

// InContext returns the decoder for a request with that context.
func InContext(ctx context.Context, d StreamDecoder) StreamDecoder {
	return d
}
