package codec

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec/internal/protobuf"
)

// Undecodable replaces an object of a list or watch that is JSON, but cannot be decoded into the object's type.
// It occurs only in requests whose context comes from [WithUndecodable].
//
// Its metadata contains the name, the namespace, the UID and the resource version. Name and namespace are the
// object's; the others are empty if the text does not have them as strings.
type Undecodable struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	// Err is the reason why the object could not be decoded.
	Err *Error
}

var (
	_ runtime.Object = (*Undecodable)(nil)
	_ metav1.Object  = (*Undecodable)(nil)
)

// DeepCopyObject implements [runtime.Object]. Both objects share the error.
func (u *Undecodable) DeepCopyObject() runtime.Object {
	c := *u
	u.DeepCopyInto(&c.ObjectMeta)
	return &c
}

// toleranceKey is the key of a context's value that enables tolerance.
type toleranceKey struct{}

// WithUndecodable returns a context for requests that continue after an object that cannot be decoded: an
// [*Undecodable] replaces it. It applies to lists that are decoded item by item (see [StreamDecoder]) and to
// watches, in JSON, with the decoders of [ForScheme]. All others fail as without it.
//
// Text that is not JSON, objects of a kind that the scheme does not know, and objects without a clear name and
// namespace fail as without it too.
func WithUndecodable(ctx context.Context) context.Context {
	return context.WithValue(ctx, toleranceKey{}, true)
}

// ForContext returns the decoder for the responses to a request with that context: d, or, if the context comes from
// [WithUndecodable], a decoder whose DecodeList, and whose Decode without a given object, return an [*Undecodable]
// instead of an error; if it comes from [WithSharing] or [WithSharedTexts], one that shares equal parts of objects; if
// it comes from [WithoutManagedFields], one that skips these; if it comes from [WithFields], one that skips all others;
// if it comes from [WithTexts], one that can leave objects undecoded; if it comes from [WithSecrets], one that remembers
// nothing; if it comes from [WithSelection], one that leaves out the objects that are not selected.
func ForContext(ctx context.Context, d StreamDecoder) StreamDecoder {
	var o origin
	o.shared, _ = ctx.Value(sharingKey{}).(*shared)
	o.fields, _ = ctx.Value(fieldsKey{}).(*Fields)
	o.withoutManaged, o.secrets = LacksManagedFields(ctx), ctx.Value(secretsKey{}) != nil
	special := o != origin{}
	if untyped, ok := d.(*untypedDecoder); ok && special {
		return &untypedDecoder{untyped.exact, o}
	}
	texts := ctx.Value(textsKey{}) != nil
	if p, ok := d.(*protobuf.Decoder); ok && (special || texts) {
		c := *p
		c.Texts = texts
		c.WithoutManaged, c.Secrets, c.Kept = o.withoutManaged, o.secrets, o.fields.protobuf()
		if o.shared != nil {
			c.Shared = &o.shared.protobuf
		}
		return &c
	}
	exact, ok := d.(*decoder)
	if !ok {
		return d
	}
	if special {
		c := *exact
		o.view = exact.view
		c.origin = o
		exact = &c
	}
	if ctx.Value(toleranceKey{}) != nil {
		c := *exact
		c.plain = false // an Undecodable has the object and the position
		return selectingFor(ctx, tolerant{&c})
	}
	return selectingFor(ctx, exact)
}
