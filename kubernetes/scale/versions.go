package scale

import (
	"encoding/json"
	"fmt"

	appsv1beta1 "k8s.io/api/apps/v1beta1"
	appsv1beta2 "k8s.io/api/apps/v1beta2"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

var (
	scheme         = newScheme()
	codecs         = serializer.NewCodecFactory(scheme)
	parameterCodec = runtime.NewParameterCodec(scheme)
)

// newScheme returns a scheme with all versions of scales, and what all responses and requests need.
func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypes(autoscalingv1.SchemeGroupVersion, &autoscalingv1.Scale{})
	s.AddKnownTypes(extensionsv1beta1.SchemeGroupVersion, &extensionsv1beta1.Scale{})
	s.AddKnownTypes(appsv1beta1.SchemeGroupVersion, &appsv1beta1.Scale{})
	s.AddKnownTypes(appsv1beta2.SchemeGroupVersion, &appsv1beta2.Scale{})
	metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"})
	return s
}

// decode reads a scale of any version.
func decode(body []byte) (*autoscalingv1.Scale, error) {
	obj, err := runtime.Decode(codecs.UniversalDeserializer(), body)
	if err != nil {
		return nil, fmt.Errorf("response is not a scale: %w", err)
	}
	var selector map[string]string
	var target string
	scale := &autoscalingv1.Scale{}
	switch in := obj.(type) {
	case *autoscalingv1.Scale:
		scale, target = in, in.Status.Selector
	case *extensionsv1beta1.Scale:
		scale.ObjectMeta, scale.Spec.Replicas, scale.Status.Replicas = in.ObjectMeta, in.Spec.Replicas, in.Status.Replicas
		selector, target = in.Status.Selector, in.Status.TargetSelector
	case *appsv1beta1.Scale:
		scale.ObjectMeta, scale.Spec.Replicas, scale.Status.Replicas = in.ObjectMeta, in.Spec.Replicas, in.Status.Replicas
		selector, target = in.Status.Selector, in.Status.TargetSelector
	case *appsv1beta2.Scale:
		scale.ObjectMeta, scale.Spec.Replicas, scale.Status.Replicas = in.ObjectMeta, in.Spec.Replicas, in.Status.Replicas
		selector, target = in.Status.Selector, in.Status.TargetSelector
	default:
		return nil, fmt.Errorf("response is not a scale, but a %T", obj)
	}
	scale.SetGroupVersionKind(autoscalingv1.SchemeGroupVersion.WithKind("Scale"))
	// A target selector is newer than a selector, and says more.
	if target == "" {
		scale.Status.Selector = labels.SelectorFromSet(selector).String()
		return scale, nil
	}
	parsed, err := metav1.ParseToLabelSelector(target)
	if err != nil {
		return nil, fmt.Errorf("failed to parse target selector: %w", err)
	}
	canonical, err := metav1.LabelSelectorAsSelector(parsed)
	if err != nil {
		return nil, fmt.Errorf("failed to parse target selector: %w", err)
	}
	scale.Status.Selector = canonical.String()
	return scale, nil
}

// encode writes a scale in the version of a kind.
func encode(scale *autoscalingv1.Scale, kind schema.GroupVersionKind) ([]byte, error) {
	out, err := scheme.New(kind)
	if err != nil {
		return nil, err
	}
	selector, target, err := selectors(scale.Status.Selector)
	if err != nil {
		return nil, err
	}
	switch out := out.(type) {
	case *autoscalingv1.Scale:
		scale.DeepCopyInto(out)
		out.Status.Selector = target
	case *extensionsv1beta1.Scale:
		out.ObjectMeta, out.Spec.Replicas = scale.ObjectMeta, scale.Spec.Replicas
		out.Status = extensionsv1beta1.ScaleStatus{Replicas: scale.Status.Replicas, Selector: selector, TargetSelector: target}
	case *appsv1beta1.Scale:
		out.ObjectMeta, out.Spec.Replicas = scale.ObjectMeta, scale.Spec.Replicas
		out.Status = appsv1beta1.ScaleStatus{Replicas: scale.Status.Replicas, Selector: selector, TargetSelector: target}
	case *appsv1beta2.Scale:
		out.ObjectMeta, out.Spec.Replicas = scale.ObjectMeta, scale.Spec.Replicas
		out.Status = appsv1beta2.ScaleStatus{Replicas: scale.Status.Replicas, Selector: selector, TargetSelector: target}
	default:
		return nil, fmt.Errorf("%s is not a scale", kind)
	}
	out.GetObjectKind().SetGroupVersionKind(kind)
	return json.Marshal(out)
}

// selectors returns the two forms of a selector: labels, if it needs no more, and a text.
func selectors(selector string) (map[string]string, string, error) {
	if selector == "" {
		return nil, "", nil
	}
	parsed, err := metav1.ParseToLabelSelector(selector)
	if err != nil {
		return nil, "", fmt.Errorf("invalid label selector: %w", err)
	}
	canonical, err := metav1.LabelSelectorAsSelector(parsed)
	if err != nil {
		return nil, "", fmt.Errorf("invalid label selector: %w", err)
	}
	if len(parsed.MatchExpressions) > 0 {
		return nil, canonical.String(), nil
	}
	return parsed.MatchLabels, canonical.String(), nil
}
