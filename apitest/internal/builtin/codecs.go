package builtin

import (
	"io"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/runtime/serializer/versioning"
)

// codecs say how objects are read and written. They are a NegotiatedSerializer that applies
// the defaults of Kubernetes' own kinds when it reads, and leaves objects that others read at
// the same time as they are when it writes.
type codecs struct {
	scheme  *runtime.Scheme
	factory serializer.CodecFactory
	params  runtime.ParameterCodec
	convert converter
	fill    defaulter
}

func newCodecs(scheme *runtime.Scheme) *codecs {
	return &codecs{
		scheme: scheme,
		factory: serializer.NewCodecFactory(scheme,
			serializer.WithStreamingCollectionEncodingToJSON(),
			serializer.WithStreamingCollectionEncodingToProtobuf()),
		params:  runtime.NewParameterCodec(scheme),
		convert: converter{scheme},
		fill:    defaulter{scheme},
	}
}

// codec returns a codec that writes objects of one version and reads them into another.
func (c *codecs) codec(e runtime.Encoder, d runtime.Decoder, encode, decode runtime.GroupVersioner) runtime.Codec {
	return versioning.NewCodec(e, d, c.convert, c.scheme, c.scheme, c.fill, encode, decode, c.scheme.Name())
}

// SupportedMediaTypes implements runtime.NegotiatedSerializer.
func (c *codecs) SupportedMediaTypes() []runtime.SerializerInfo {
	return c.factory.SupportedMediaTypes()
}

// EncoderForVersion implements runtime.NegotiatedSerializer.
func (c *codecs) EncoderForVersion(e runtime.Encoder, gv runtime.GroupVersioner) runtime.Encoder {
	return sharing{c.codec(e, nil, gv, nil)}
}

// DecoderToVersion implements runtime.NegotiatedSerializer.
func (c *codecs) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	return c.codec(nil, d, nil, gv)
}

// storage returns the codec of stored objects of a version: as in etcd, kinds that have a
// protobuf form are stored in it, others as JSON.
func (c *codecs) storage(gv schema.GroupVersion, example runtime.Object) runtime.Codec {
	var s runtime.Serializer = json.NewSerializerWithOptions(json.DefaultMetaFactory, c.scheme, c.scheme, json.SerializerOptions{})
	if _, ok := example.(interface{ MarshalTo([]byte) (int, error) }); ok {
		s = protobuf.NewSerializer(c.scheme, c.scheme)
	}
	return untyped{c.codec(s, s, gv, gv)}
}

// untyped reads objects that do not name their kind, as the items of a list have it.
type untyped struct{ runtime.Codec }

// Decode implements runtime.Decoder.
func (u untyped) Decode(data []byte, kind *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	obj, got, err := u.Codec.Decode(data, kind, into)
	if err == nil {
		obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	}
	return obj, got, err
}

// sharing writes objects that it shares with others: the kind is set in a copy.
type sharing struct{ runtime.Encoder }

// Encode implements runtime.Encoder.
func (s sharing) Encode(obj runtime.Object, w io.Writer) error {
	return s.Encoder.Encode(shallow(obj), w)
}

// EncodeWithAllocator implements runtime.EncoderWithAllocator.
func (s sharing) EncodeWithAllocator(obj runtime.Object, w io.Writer, memory runtime.MemoryAllocator) error {
	if e, ok := s.Encoder.(runtime.EncoderWithAllocator); ok {
		return e.EncodeWithAllocator(shallow(obj), w, memory)
	}
	return s.Encode(obj, w)
}

// shallow returns a copy of an object that shares its maps and slices.
func shallow(obj runtime.Object) runtime.Object {
	v := reflect.ValueOf(obj)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return obj
	}
	c := reflect.New(v.Type().Elem())
	c.Elem().Set(v.Elem())
	if out, ok := c.Interface().(runtime.Object); ok {
		return out
	}
	return obj
}

// converter converts objects as the scheme does, events between their two groups, and knows
// the fields that Kubernetes' own kinds can be selected by. It may take parts of an object
// over into another.
type converter struct{ *runtime.Scheme }

// Convert implements runtime.ObjectConvertor.
func (c converter) Convert(in, out, context any) error {
	if convertEvent(in, out) {
		return nil
	}
	return c.Scheme.Convert(in, out, context)
}

// ConvertToVersion implements runtime.ObjectConvertor.
func (c converter) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	if out, ok := eventInVersion(in, target); ok {
		return out, nil
	}
	return c.UnsafeConvertToVersion(in, target)
}

// ConvertFieldLabel implements runtime.ObjectConvertor.
func (c converter) ConvertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error) {
	if l, v, err, ok := convertFieldLabel(gvk, label, value); ok {
		return l, v, err
	}
	return c.Scheme.ConvertFieldLabel(gvk, label, value)
}
