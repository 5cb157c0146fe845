package codec

import (
	"io"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// StreamDecoder decodes JSON from bytes and off readers. The decoders of
// [ForScheme] for JSON implement it. It is safe for concurrent use.
//
// Objects that are returned or handed over belong to the caller, and hold
// nothing of what was read. Errors about the text are of type [*Error], but for
// those that [runtime.IsMissingKind], [runtime.IsMissingVersion] and
// [runtime.IsNotRegisteredError] tell.
type StreamDecoder interface {
	runtime.Decoder
	// DecodeFrom is Decode(all of r, nil, into) without holding all of r where
	// that is a list. It reads r to its end unless it fails. After an error in
	// a list into is empty, if it was before.
	DecodeFrom(r io.Reader, into runtime.Object) (runtime.Object, error)
	// DecodeList decodes a list off r: all but its items into list, each item
	// into a newItem(), given to each in order as soon as it is decoded. The
	// list is complete only when a nil error is returned. If the top object is
	// of another kind (a Status) it is returned instead, as Decode does. An
	// error of each ends it and is returned as it is. An item that is null is
	// an empty one.
	DecodeList(r io.Reader, list runtime.Object, newItem func() runtime.Object, each func(runtime.Object) error) (runtime.Object, error)
}

// PartReader is a reader that bounds the parts of a list that is decoded off it, which are
// held whole: its items, and what comes before and after them.
type PartReader interface {
	io.Reader
	// NextPart is called when a part begins. What was read of the part before, and
	// perhaps a little more, is not held any longer.
	NextPart()
}

// ForScheme returns codecs.WithoutConversion() with JSON decoded in one pass.
// The codecs must be made for the scheme; those that are strict about unknown
// and repeated fields are left as they are.
func ForScheme(scheme *runtime.Scheme, codecs serializer.CodecFactory) runtime.NegotiatedSerializer {
	return negotiated{NegotiatedSerializer: codecs.WithoutConversion(), scheme: scheme}
}

// negotiated is the serializer of a scheme: all but the decoding of JSON is
// that of the codecs.
type negotiated struct {
	runtime.NegotiatedSerializer
	scheme *runtime.Scheme
}

// DecoderToVersion implements runtime.NegotiatedSerializer.
func (n negotiated) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	for _, info := range n.SupportedMediaTypes() {
		strict, ok := info.Serializer.(interface{ IsStrict() bool })
		if info.MediaType == runtime.ContentTypeJSON && info.Serializer == d && ok && !strict.IsStrict() {
			return &decoder{exact: d, scheme: n.scheme}
		}
	}
	return n.NegotiatedSerializer.DecoderToVersion(d, gv)
}
