package builtin

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/runtime/serializer/versioning"
)

// codecs encode and decode objects. They are a NegotiatedSerializer that applies the defaults of
// Kubernetes' own kinds when it decodes. Encoders temporarily set an object's kind: objects passed
// to them must not be shared, except as a runtime.CacheableObject.
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

// codec returns a codec that encodes objects in one version and decodes them into another.
func (c *codecs) codec(e runtime.Encoder, d runtime.Decoder, encode, decode runtime.GroupVersioner) runtime.Codec {
	return versioning.NewCodec(e, d, c.convert, c.scheme, c.scheme, c.fill, encode, decode, c.scheme.Name())
}

// SupportedMediaTypes implements runtime.NegotiatedSerializer.
func (c *codecs) SupportedMediaTypes() []runtime.SerializerInfo {
	return c.factory.SupportedMediaTypes()
}

// EncoderForVersion implements runtime.NegotiatedSerializer.
func (c *codecs) EncoderForVersion(e runtime.Encoder, gv runtime.GroupVersioner) runtime.Encoder {
	return c.codec(e, nil, gv, nil)
}

// DecoderToVersion implements runtime.NegotiatedSerializer.
func (c *codecs) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	return c.codec(nil, d, nil, gv)
}

// storage returns the codec of stored objects of a version: as in etcd, kinds with a protobuf form
// are stored in it, others as JSON.
func (c *codecs) storage(gv schema.GroupVersion, example runtime.Object) runtime.Codec {
	var s runtime.Serializer = json.NewSerializerWithOptions(json.DefaultMetaFactory, c.scheme, c.scheme, json.SerializerOptions{})
	if _, ok := example.(interface{ MarshalTo([]byte) (int, error) }); ok {
		s = protobuf.NewSerializer(c.scheme, c.scheme)
	}
	return c.codec(s, s, gv, gv)
}

// converter converts objects like the scheme, and events between their two groups and autoscalers between their versions, and knows the
// fields by which Kubernetes' own kinds can be selected. The result may share parts with the
// source.
type converter struct{ *runtime.Scheme }

// Convert implements runtime.ObjectConvertor.
func (c converter) Convert(in, out, context any) error {
	if convertEvent(in, out) || convertAutoscaler(in, out) {
		return nil
	}
	return c.Scheme.Convert(in, out, context)
}

// ConvertToVersion implements runtime.ObjectConvertor.
func (c converter) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	if out, ok := eventInVersion(in, target); ok {
		return out, nil
	}
	if out, ok := autoscalerInVersion(typedAutoscaler(in), target); ok {
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
