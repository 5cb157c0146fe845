package scale

import (
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	appsv1beta2 "k8s.io/api/apps/v1beta2"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// codecs are for the tests' server, which decodes what it receives.
var codecs = func() serializer.CodecFactory {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(autoscalingv1.SchemeGroupVersion, &autoscalingv1.Scale{})
	scheme.AddKnownTypes(extensionsv1beta1.SchemeGroupVersion, &extensionsv1beta1.Scale{})
	scheme.AddKnownTypes(appsv1beta1.SchemeGroupVersion, &appsv1beta1.Scale{})
	scheme.AddKnownTypes(appsv1beta2.SchemeGroupVersion, &appsv1beta2.Scale{})
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return serializer.NewCodecFactory(scheme)
}()
