package codec

import (
	"io"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/codec/internal/protobuf"
)

// StreamDecoder decodes from bytes and from readers. The decoders of [ForScheme] for JSON and protobuf implement it.
// It is safe for concurrent use.
//
// The caller owns the objects that are returned or handed over, but see [WithSharing]; they do not reference the text. Errors about
// a text of JSON are of type [*Error], except those that [runtime.IsMissingKind], [runtime.IsMissingVersion] and
// [runtime.IsNotRegisteredError] recognize.
type StreamDecoder interface {
	runtime.Decoder
	// DecodeFrom is Decode(all of r, nil, into), but does not hold all of r in memory if it is a list. It reads
	// r to its end unless it fails. After an error in a list, into is empty if it was empty before.
	DecodeFrom(r io.Reader, into runtime.Object) (runtime.Object, error)
	// DecodeList decodes a list from r: everything except the items into list, and each item into a newItem().
	// It calls each with the items in order as soon as they are decoded. The list is complete only if the error
	// is nil. If the top object is of another kind (a Status), it is returned instead, as by Decode. An error
	// of each ends decoding and is returned unchanged. A null item is decoded as an empty one.
	DecodeList(r io.Reader, list runtime.Object, newItem func() runtime.Object, each func(runtime.Object) error) (runtime.Object, error)
}

// ForStream returns a decoder like d for the objects of one stream, such as the events of a watch. It remembers what
// they have in common, which it decodes faster, and into less memory: also, objects of one kind come with the same
// pointer to it. It is not safe for concurrent use. A decoder that is not of this package is returned unchanged.
func ForStream(d StreamDecoder) StreamDecoder {
	own := func(d *decoder) *decoder {
		c := *d
		c.own = c.take()
		return &c
	}
	switch d := d.(type) {
	case *decoder:
		return own(d)
	case selecting:
		if inner, ok := ForStream(d.jsonDecoder).(jsonDecoder); ok {
			return selecting{inner, d.selects}
		}
	case tolerant:
		return tolerant{own(d.decoder)}
	case *protobuf.Decoder:
		return d.ForStream()
	case *untypedDecoder:
		c := *d
		c.own = c.take()
		return &c
	}
	return d
}

// PartReader is a reader that bounds the parts of a list that are in memory as a whole while the
// list is decoded from it: its items, and the text before and after them.
type PartReader interface {
	io.Reader
	// NextPart is called when a part begins. The previous part, and possibly a little more, is no
	// longer in memory.
	NextPart()
}

// ForScheme returns codecs.WithoutConversion() with one-pass decoding of JSON, and faster decoding of protobuf. The
// codecs must belong to the scheme; codecs that are strict about unknown and repeated fields are returned unchanged,
// except for protobuf.
func ForScheme(scheme *runtime.Scheme, codecs serializer.CodecFactory) runtime.NegotiatedSerializer {
	return negotiated{NegotiatedSerializer: codecs.WithoutConversion(), scheme: scheme}
}

// ForView is [ForScheme] for the scheme of a view: a struct with some fields of a kind's type, which is registered as that
// kind. The members of other fields are skipped. The codecs must belong to the scheme; object and list are examples of
// the struct and of its list.
//
// Numbers has the numbers of the fields in protobuf, as words PATH=NUMBER, such as "metadata=1 metadata.name=1": see
// package codec/internal/protobuf. If it is empty, only JSON can be decoded.
func ForView(scheme *runtime.Scheme, codecs serializer.CodecFactory, object, list runtime.Object, numbers string) (runtime.NegotiatedSerializer, error) {
	n := negotiated{NegotiatedSerializer: codecs.WithoutConversion(), scheme: scheme, isView: true}
	if numbers == "" {
		return n, nil
	}
	var err error
	n.view, err = protobuf.NewView(reflect.TypeOf(object).Elem(), reflect.TypeOf(list).Elem(), numbers)
	return n, err
}

// negotiated is the serializer of a scheme. The codecs do everything except decoding.
type negotiated struct {
	runtime.NegotiatedSerializer
	scheme   *runtime.Scheme
	metadata bool           // see ForMetadata
	isView   bool           // see ForView
	view     *protobuf.View // decodes protobuf of a view, if it has numbers
}

// DecoderToVersion implements runtime.NegotiatedSerializer.
func (n negotiated) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	for _, info := range n.SupportedMediaTypes() {
		strict, ok := info.Serializer.(interface{ IsStrict() bool })
		if info.MediaType == runtime.ContentTypeJSON && info.Serializer == d && ok && !strict.IsStrict() {
			if n.metadata {
				d = exactMetadata{d}
			}
			return &decoder{exact: d, scheme: n.scheme, metadata: n.metadata, origin: origin{view: n.isView}}
		}
		if info.MediaType == runtime.ContentTypeProtobuf && info.Serializer == d {
			return &protobuf.Decoder{Exact: n.NegotiatedSerializer.DecoderToVersion(d, gv), Scheme: n.scheme, View: n.view}
		}
	}
	return n.NegotiatedSerializer.DecoderToVersion(d, gv)
}
