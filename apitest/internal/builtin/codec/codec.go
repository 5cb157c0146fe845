// Package codec encodes, decodes, converts and merges objects of a scheme, like the real server where it differs from
// the scheme of client-go: defaults are applied, events are converted between their two groups and autoscalers between
// their two versions, and server-side apply merges Kubernetes' own kinds by their recorded types.
//
// Limits: other kinds are converted only if the scheme does it.
package codec

import (
	"github.com/listwatch/listwatch/apitest/internal/builtin/defaults"
	"github.com/listwatch/listwatch/apitest/internal/builtin/kinds"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/runtime/serializer/versioning"
)

// Codecs encode and decode objects. They are a NegotiatedSerializer that applies the defaults of
// Kubernetes' own kinds when it decodes. Encoders temporarily set an object's kind: objects passed
// to them must not be shared, except as a runtime.CacheableObject. They are safe for concurrent use.
type Codecs struct {
	Factory   serializer.CodecFactory
	Params    runtime.ParameterCodec
	Convertor Convertor
	Defaulter defaults.Defaulter

	scheme *runtime.Scheme
}

// New returns the codecs of a scheme, which must not be modified any more.
func New(scheme *runtime.Scheme) *Codecs {
	return &Codecs{
		scheme: scheme,
		Factory: serializer.NewCodecFactory(scheme,
			serializer.WithStreamingCollectionEncodingToJSON(),
			serializer.WithStreamingCollectionEncodingToProtobuf()),
		Params:    runtime.NewParameterCodec(scheme),
		Convertor: Convertor{scheme},
		Defaulter: defaults.Defaulter{Scheme: scheme},
	}
}

// codec returns a codec that encodes objects in one version and decodes them into another.
func (c *Codecs) codec(e runtime.Encoder, d runtime.Decoder, encode, decode runtime.GroupVersioner) runtime.Codec {
	return versioning.NewCodec(e, d, c.Convertor, c.scheme, c.scheme, c.Defaulter, encode, decode, c.scheme.Name())
}

// SupportedMediaTypes implements runtime.NegotiatedSerializer.
func (c *Codecs) SupportedMediaTypes() []runtime.SerializerInfo {
	return c.Factory.SupportedMediaTypes()
}

// EncoderForVersion implements runtime.NegotiatedSerializer.
func (c *Codecs) EncoderForVersion(e runtime.Encoder, gv runtime.GroupVersioner) runtime.Encoder {
	return c.codec(e, nil, gv, nil)
}

// DecoderToVersion implements runtime.NegotiatedSerializer.
func (c *Codecs) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	return c.codec(nil, d, nil, gv)
}

// Storage returns the codec of stored objects of a version: as in etcd, kinds with a protobuf form
// are stored in it, others as JSON.
func (c *Codecs) Storage(gv schema.GroupVersion, example runtime.Object) runtime.Codec {
	var s runtime.Serializer = json.NewSerializerWithOptions(json.DefaultMetaFactory, c.scheme, c.scheme, json.SerializerOptions{})
	if _, ok := example.(interface{ MarshalTo([]byte) (int, error) }); ok {
		s = protobuf.NewSerializer(c.scheme, c.scheme)
	}
	return c.codec(s, s, gv, gv)
}

// Convertor converts objects like the scheme, and events between their two groups and autoscalers between their
// versions, and knows the fields by which Kubernetes' own kinds can be selected. The result may share parts with the
// source.
type Convertor struct{ *runtime.Scheme }

// Convert implements runtime.ObjectConvertor.
func (c Convertor) Convert(in, out, context any) error {
	if convertEvent(in, out) || convertAutoscaler(in, out) || convertEviction(in, out) {
		return nil
	}
	return c.Scheme.Convert(in, out, context)
}

// ConvertToVersion implements runtime.ObjectConvertor.
func (c Convertor) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	if out, ok := eventInVersion(in, target); ok {
		return out, nil
	}
	if out, ok := autoscalerInVersion(typedAutoscaler(in), target); ok {
		return out, nil
	}
	if out, ok := evictionInVersion(in, target); ok {
		return out, nil
	}
	if err := readNumbers(in); err != nil {
		return nil, err
	}
	return c.UnsafeConvertToVersion(in, target)
}

// ConvertFieldLabel implements runtime.ObjectConvertor.
func (c Convertor) ConvertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error) {
	if name, ok, err := kinds.FieldLabel(gvk, label); err != nil {
		return "", "", err
	} else if ok {
		return name, value, nil
	}
	return c.Scheme.ConvertFieldLabel(gvk, label, value)
}

// StoredAs returns the resource in whose form a resource is stored if the scheme does not know it: events of both groups
// are stored in the core group, and autoscalers of v1 as those of v2.
func StoredAs(gvr schema.GroupVersionResource) (schema.GroupVersionResource, bool) {
	switch gvr {
	case eventsv1.SchemeGroupVersion.WithResource("events"):
		return corev1.SchemeGroupVersion.WithResource("events"), true
	case autoscalingv1.SchemeGroupVersion.WithResource("horizontalpodautoscalers"):
		return autoscalingv2.SchemeGroupVersion.WithResource("horizontalpodautoscalers"), true
	}
	return gvr, false
}
