package builtin

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/runtime/serializer/versioning"
)

// codecs say how objects are read and written. They are a NegotiatedSerializer that applies
// the defaults of Kubernetes' own kinds when it reads.
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

// SupportedMediaTypes implements runtime.NegotiatedSerializer.
func (c *codecs) SupportedMediaTypes() []runtime.SerializerInfo {
	return c.factory.SupportedMediaTypes()
}

// EncoderForVersion implements runtime.NegotiatedSerializer.
func (c *codecs) EncoderForVersion(e runtime.Encoder, gv runtime.GroupVersioner) runtime.Encoder {
	return c.factory.EncoderForVersion(e, gv)
}

// DecoderToVersion implements runtime.NegotiatedSerializer.
func (c *codecs) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	return versioning.NewCodec(nil, d, runtime.UnsafeObjectConvertor(c.scheme), c.scheme, c.scheme, c.fill, nil, gv, c.scheme.Name())
}

// storage returns the codec of stored objects of a version: as in etcd, kinds that have a
// protobuf form are stored in it, others as JSON.
func (c *codecs) storage(gv schema.GroupVersion, example runtime.Object) runtime.Codec {
	var s runtime.Serializer = json.NewSerializerWithOptions(json.DefaultMetaFactory, c.scheme, c.scheme, json.SerializerOptions{})
	if _, ok := example.(interface{ MarshalTo([]byte) (int, error) }); ok {
		s = protobuf.NewSerializer(c.scheme, c.scheme)
	}
	return untyped{versioning.NewCodec(s, s, runtime.UnsafeObjectConvertor(c.scheme), c.scheme, c.scheme, c.fill, gv, gv, c.scheme.Name())}
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

// converter converts objects as the scheme does, and knows the fields that Kubernetes' own
// kinds can be selected by.
type converter struct{ *runtime.Scheme }

// ConvertFieldLabel implements runtime.ObjectConvertor.
func (c converter) ConvertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error) {
	if l, v, err, ok := convertFieldLabel(gvk, label, value); ok {
		return l, v, err
	}
	return c.Scheme.ConvertFieldLabel(gvk, label, value)
}
