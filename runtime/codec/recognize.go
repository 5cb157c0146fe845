package codec

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	protobufserializer "k8s.io/apimachinery/pkg/runtime/serializer/protobuf"

	"github.com/listwatch/listwatch/runtime/codec/internal/protobuf"
)

// Recognize returns the serializer of a client, with one-pass decoding of JSON and faster decoding of protobuf if its
// decoding is known to be apimachinery's. Otherwise it returns it unchanged. It recognizes
//
//   - [serializer.WithoutConversionCodecFactory], which clientsets of client-gen and most clients written by hand have;
//   - the serializer of controller-runtime's clients of typed objects, which embeds one, and empties the given object
//     before it is decoded.
//
// Formats in which such a serializer is strict about unknown fields, or in which another serializer has been put in the
// place of apimachinery's, are decoded by what is there. Types that embed or wrap a recognized serializer are not
// recognized themselves, since their methods would not be called for each object.
//
// The decoders are of type [StreamDecoder], like those of [ForScheme], except that errors are apimachinery's own, of its types
// and with its texts: none is an [*Error].
func Recognize(given runtime.NegotiatedSerializer) runtime.NegotiatedSerializer {
	codecs, ok := given.(serializer.WithoutConversionCodecFactory)
	if !ok {
		if codecs, ok = targetZeroing(given); !ok {
			return given
		}
	}
	encoder, ok := codecs.EncoderForVersion(nil, nil).(runtime.WithVersionEncoder)
	if !ok {
		return given
	}
	scheme, ok := encoder.ObjectTyper.(*runtime.Scheme)
	if !ok || scheme == nil {
		return given
	}
	emptied, ok := observe(given)
	if !ok {
		return given
	}
	r := recognized{NegotiatedSerializer: given, scheme: scheme, emptied: emptied}
	for _, info := range given.SupportedMediaTypes() {
		switch {
		case info.MediaType == runtime.ContentTypeJSON && isJSONOf(scheme, info):
			r.json = info.Serializer
		case info.MediaType == runtime.ContentTypeProtobuf && isProtobufOf(scheme, info):
			r.protobuf = info.Serializer
		}
	}
	return r
}

// recognized is a serializer whose decoding is known.
type recognized struct {
	runtime.NegotiatedSerializer
	scheme         *runtime.Scheme
	emptied        bool            // whether a given object is emptied first
	json, protobuf runtime.Decoder // of the formats; nil if what is there is left alone
}

// DecoderToVersion implements runtime.NegotiatedSerializer.
func (r recognized) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	exact := r.NegotiatedSerializer.DecoderToVersion(d, gv)
	switch d {
	case nil:
		return exact
	case r.json:
		return &decoder{exact: exact, scheme: r.scheme, plain: true, emptied: r.emptied}
	case r.protobuf:
		// It always empties the given object, unless it leaves that to the exact decoder.
		return &protobuf.Decoder{Exact: exact, Scheme: r.scheme}
	}
	return exact
}

// targetZeroing returns the codecs in controller-runtime's serializer of typed objects. Its type is not exported, but the
// field that it consists of is.
func targetZeroing(given runtime.NegotiatedSerializer) (codecs serializer.WithoutConversionCodecFactory, ok bool) {
	v := reflect.ValueOf(given)
	if !v.IsValid() {
		return codecs, false
	}
	t := v.Type()
	if t.PkgPath() != "sigs.k8s.io/controller-runtime/pkg/client/apiutil" || t.Name() != "serializerWithTargetZeroingDecode" ||
		t.Kind() != reflect.Struct || t.NumField() != 1 || t.Field(0).Name != "NegotiatedSerializer" {
		return codecs, false
	}
	codecs, ok = v.Field(0).Interface().(serializer.WithoutConversionCodecFactory)
	return codecs, ok
}

// isJSONOf reports whether info is that of JSON in the codecs of a scheme, unless they are strict. It is another one if
// somebody has exchanged a part of it.
func isJSONOf(scheme *runtime.Scheme, info runtime.SerializerInfo) bool {
	stream := info.StreamSerializer
	for _, streaming := range []bool{false, true} {
		s := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{StreamingCollectionsEncoding: streaming})
		if reflect.DeepEqual(info.Serializer, s) {
			return stream != nil && reflect.DeepEqual(stream.Serializer, s) && stream.Framer == json.Framer
		}
	}
	return false
}

// isProtobufOf is isJSONOf for protobuf, which is never strict.
func isProtobufOf(scheme *runtime.Scheme, info runtime.SerializerInfo) bool {
	stream := info.StreamSerializer
	for _, streaming := range []bool{false, true} {
		s := protobufserializer.NewSerializerWithOptions(scheme, scheme, protobufserializer.SerializerOptions{StreamingCollectionsEncoding: streaming})
		if reflect.DeepEqual(info.Serializer, s) {
			raw := protobufserializer.NewRawSerializer(scheme, scheme)
			return stream != nil && reflect.DeepEqual(stream.Serializer, raw) && stream.Framer == protobufserializer.LengthDelimitedFramer
		}
	}
	return false
}

// observe reports whether the decoders of a serializer leave everything to that of the format, except that they clear the
// kind of the result, and whether they empty the given object before.
func observe(given runtime.NegotiatedSerializer) (emptied, ok bool) {
	into := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{Kind: "into"}}
	w := &witness{out: &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{Kind: "out"}}, gvk: &schema.GroupVersionKind{}}
	text, defaults := []byte("{}"), &schema.GroupVersionKind{}
	out, gvk, err := given.DecoderToVersion(w, nil).Decode(text, defaults, into)
	ok = w.calls == 1 && len(w.text) == len(text) && &w.text[0] == &text[0] && w.defaults == defaults && w.into == runtime.Object(into) &&
		out == runtime.Object(w.out) && reflect.ValueOf(w.out).Elem().IsZero() && gvk == w.gvk && err == nil
	return w.empty, ok
}

// witness is a decoder that remembers what it was called with.
type witness struct {
	out *metav1.PartialObjectMetadata
	gvk *schema.GroupVersionKind

	calls    int
	text     []byte
	defaults *schema.GroupVersionKind
	into     runtime.Object
	empty    bool // whether into was
}

// Decode implements runtime.Decoder.
func (w *witness) Decode(text []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	w.calls++
	w.text, w.defaults, w.into = text, defaults, into
	w.empty = reflect.ValueOf(into).Elem().IsZero()
	return w.out, w.gvk, nil
}
