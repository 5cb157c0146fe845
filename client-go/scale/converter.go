package scale

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"k8s.io/client-go/scale/scheme"
	"k8s.io/client-go/scale/scheme/appsint"
	"k8s.io/client-go/scale/scheme/appsv1beta1"
	"k8s.io/client-go/scale/scheme/appsv1beta2"
	"k8s.io/client-go/scale/scheme/autoscalingv1"
	"k8s.io/client-go/scale/scheme/extensionsint"
	"k8s.io/client-go/scale/scheme/extensionsv1beta1"
)

// ScaleConverter converts scales between versions. It is safe for concurrent use.
type ScaleConverter struct { //nolint:revive // the name is client-go's
	scheme *runtime.Scheme
	codecs serializer.CodecFactory
}

// NewScaleConverter returns a converter of all versions.
func NewScaleConverter() *ScaleConverter {
	s := runtime.NewScheme()
	all := runtime.NewSchemeBuilder(
		scheme.AddToScheme, appsint.AddToScheme, extensionsint.AddToScheme,
		autoscalingv1.AddToScheme, extensionsv1beta1.AddToScheme, appsv1beta1.AddToScheme, appsv1beta2.AddToScheme,
	)
	utilruntime.Must(all.AddToScheme(s))
	return &ScaleConverter{s, serializer.NewCodecFactory(s)}
}

// Scheme returns the scheme with all versions.
func (c *ScaleConverter) Scheme() *runtime.Scheme { return c.scheme }

// Codecs returns the codecs of all versions.
func (c *ScaleConverter) Codecs() serializer.CodecFactory { return c.codecs }

// ScaleVersions returns all versions, internal ones included.
func (c *ScaleConverter) ScaleVersions() []schema.GroupVersion {
	return []schema.GroupVersion{
		autoscalingv1.SchemeGroupVersion,
		scheme.SchemeGroupVersion,
		extensionsv1beta1.SchemeGroupVersion,
		extensionsint.SchemeGroupVersion,
		appsint.SchemeGroupVersion,
		appsv1beta1.SchemeGroupVersion,
		appsv1beta2.SchemeGroupVersion,
	}
}

// ConvertToVersion returns a scale in another version. It does not modify in, and may share its metadata.
func (c *ScaleConverter) ConvertToVersion(in runtime.Object, outVersion schema.GroupVersion) (runtime.Object, error) {
	internal, err := c.scheme.ConvertToVersion(in, internalVersioner)
	if err != nil {
		return nil, err
	}
	return c.scheme.ConvertToVersion(internal, outVersion)
}

// internalVersioner chooses the internal version in autoscaling for scales of all groups.
var internalVersioner = runtime.NewMultiGroupVersioner(scheme.SchemeGroupVersion,
	schema.GroupKind{Group: extensionsv1beta1.GroupName, Kind: "Scale"},
	schema.GroupKind{Group: autoscalingv1.GroupName, Kind: "Scale"},
	schema.GroupKind{Group: appsv1beta1.GroupName, Kind: "Scale"},
)
