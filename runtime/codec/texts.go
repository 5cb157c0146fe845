package codec

import (
	"context"

	"github.com/listwatch/listwatch/runtime/codec/internal/protobuf"
)

// Text is a typed object of a list or a watch that is not decoded: its message of protobuf, which its method Decode decodes without an
// error. It occurs only in requests whose context comes from [WithTexts].
//
// Its metadata has the name, the namespace, the UID, the resource version, and the labels as a result of GetLabels.
type Text = protobuf.Text

// textsKey is the key of a context's value that enables texts.
type textsKey struct{}

// WithTexts returns a context for requests of a caller that stores objects as texts: see [Form]. A [*Text] replaces each object
// of a typed kind in protobuf, in lists that are decoded item by item (see [StreamDecoder]) and in events about added and
// modified objects, if it is sure that it can be decoded. With [WithFields], and in views, there are none.
//
// A Text of a list is valid until the function that got it returns; others belong to the caller.
func WithTexts(ctx context.Context) context.Context { return context.WithValue(ctx, textsKey{}, true) }

// TextOf returns the object in the body of an event as a [*Text], by a decoder that [ForStream] returned for one of [ForContext]. It
// returns nil if the object is to be decoded.
func TextOf(d StreamDecoder, body []byte) *Text {
	if p, ok := d.(*protobuf.Decoder); ok {
		return p.Text(body)
	}
	return nil
}
