package codec

import (
	"encoding/json"
	"maps"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Annotations of an autoscaler of v1 contain what it has no fields for.
const (
	metricsAnnotation    = "autoscaling.alpha.kubernetes.io/metrics"
	currentAnnotation    = "autoscaling.alpha.kubernetes.io/current-metrics"
	conditionsAnnotation = "autoscaling.alpha.kubernetes.io/conditions"
	behaviorAnnotation   = "autoscaling.alpha.kubernetes.io/behavior"
)

// autoscalerInVersion returns an autoscaler, or a list of them, in the requested version, if that is the other one.
func autoscalerInVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, bool) {
	var out runtime.Object
	from, to, kind := autoscalingv1.SchemeGroupVersion, autoscalingv2.SchemeGroupVersion, "HorizontalPodAutoscaler"
	switch in.(type) {
	case *autoscalingv1.HorizontalPodAutoscaler:
		out = &autoscalingv2.HorizontalPodAutoscaler{}
	case *autoscalingv1.HorizontalPodAutoscalerList:
		out, kind = &autoscalingv2.HorizontalPodAutoscalerList{}, "HorizontalPodAutoscalerList"
	case *autoscalingv2.HorizontalPodAutoscaler:
		out, from, to = &autoscalingv1.HorizontalPodAutoscaler{}, to, from
	case *autoscalingv2.HorizontalPodAutoscalerList:
		out, from, to, kind = &autoscalingv1.HorizontalPodAutoscalerList{}, to, from, "HorizontalPodAutoscalerList"
	default:
		return nil, false
	}
	if target == nil {
		return nil, false
	}
	want, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{from.WithKind(kind), to.WithKind(kind)})
	if !ok || want != to.WithKind(kind) || !convertAutoscaler(in, out) {
		return nil, false
	}
	out.GetObjectKind().SetGroupVersionKind(want)
	return out, true
}

// typedAutoscaler returns an unstructured autoscaler, in which form managed fields are converted, as a typed one. Other
// objects are returned as they are.
func typedAutoscaler(in runtime.Object) runtime.Object {
	u, ok := in.(*unstructured.Unstructured)
	if !ok || u.GetKind() != "HorizontalPodAutoscaler" {
		return in
	}
	var out runtime.Object
	switch u.GetAPIVersion() {
	case autoscalingv1.SchemeGroupVersion.String():
		out = &autoscalingv1.HorizontalPodAutoscaler{}
	case autoscalingv2.SchemeGroupVersion.String():
		out = &autoscalingv2.HorizontalPodAutoscaler{}
	default:
		return in
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, out); err != nil {
		return in
	}
	return out
}

// convertAutoscaler converts autoscalers between their versions, and reports whether it did.
func convertAutoscaler(in, out any) bool {
	switch in := in.(type) {
	case *autoscalingv1.HorizontalPodAutoscaler:
		if out, ok := out.(*autoscalingv2.HorizontalPodAutoscaler); ok {
			*out = toNewAutoscaler(in)
			return true
		}
	case *autoscalingv2.HorizontalPodAutoscaler:
		if out, ok := out.(*autoscalingv1.HorizontalPodAutoscaler); ok {
			*out = toOldAutoscaler(in)
			return true
		}
	case *autoscalingv1.HorizontalPodAutoscalerList:
		if out, ok := out.(*autoscalingv2.HorizontalPodAutoscalerList); ok {
			out.ListMeta, out.Items = in.ListMeta, each(in.Items, toNewAutoscaler)
			return true
		}
	case *autoscalingv2.HorizontalPodAutoscalerList:
		if out, ok := out.(*autoscalingv1.HorizontalPodAutoscalerList); ok {
			out.ListMeta, out.Items = in.ListMeta, each(in.Items, toOldAutoscaler)
			return true
		}
	}
	return false
}

func each[A, B any](in []A, convert func(*A) B) []B {
	out := make([]B, len(in))
	for i := range in {
		out[i] = convert(&in[i])
	}
	return out
}

// autoscalerMeta returns metadata without the annotations that conversion writes, which are not shared.
func autoscalerMeta(m metav1.ObjectMeta) metav1.ObjectMeta {
	m.Annotations = maps.Clone(m.Annotations)
	for _, name := range []string{metricsAnnotation, currentAnnotation, conditionsAnnotation, behaviorAnnotation} {
		delete(m.Annotations, name)
	}
	return m
}

func toOldAutoscaler(in *autoscalingv2.HorizontalPodAutoscaler) autoscalingv1.HorizontalPodAutoscaler {
	out := autoscalingv1.HorizontalPodAutoscaler{
		ObjectMeta: autoscalerMeta(in.ObjectMeta),
		Spec: autoscalingv1.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv1.CrossVersionObjectReference(in.Spec.ScaleTargetRef),
			MinReplicas:    in.Spec.MinReplicas,
			MaxReplicas:    in.Spec.MaxReplicas,
		},
		Status: autoscalingv1.HorizontalPodAutoscalerStatus{
			ObservedGeneration: in.Status.ObservedGeneration,
			LastScaleTime:      in.Status.LastScaleTime,
			CurrentReplicas:    in.Status.CurrentReplicas,
			DesiredReplicas:    in.Status.DesiredReplicas,
		},
	}
	var others []autoscalingv1.MetricSpec
	for i := range in.Spec.Metrics {
		m := &in.Spec.Metrics[i]
		if m.Type == autoscalingv2.ResourceMetricSourceType && m.Resource != nil && m.Resource.Name == corev1.ResourceCPU && m.Resource.Target.AverageUtilization != nil {
			out.Spec.TargetCPUUtilizationPercentage = m.Resource.Target.AverageUtilization
			continue
		}
		others = append(others, toOldMetric(m))
	}
	for i := range in.Status.CurrentMetrics {
		m := &in.Status.CurrentMetrics[i]
		if m.Type == autoscalingv2.ResourceMetricSourceType && m.Resource != nil && m.Resource.Name == corev1.ResourceCPU {
			out.Status.CurrentCPUUtilizationPercentage = m.Resource.Current.AverageUtilization
		}
	}
	annotate(&out.ObjectMeta, metricsAnnotation, others, len(others) > 0)
	annotate(&out.ObjectMeta, currentAnnotation, each(in.Status.CurrentMetrics, toOldMetricStatus), len(in.Status.CurrentMetrics) > 0)
	annotate(&out.ObjectMeta, conditionsAnnotation, each(in.Status.Conditions, func(c *autoscalingv2.HorizontalPodAutoscalerCondition) autoscalingv1.HorizontalPodAutoscalerCondition {
		return autoscalingv1.HorizontalPodAutoscalerCondition{
			Type: autoscalingv1.HorizontalPodAutoscalerConditionType(c.Type), Status: c.Status,
			LastTransitionTime: c.LastTransitionTime, Reason: c.Reason, Message: c.Message, ObservedGeneration: c.ObservedGeneration,
		}
	}), len(in.Status.Conditions) > 0)
	if in.Spec.Behavior != nil {
		annotate(&out.ObjectMeta, behaviorAnnotation, behavior{scalingOf(in.Spec.Behavior.ScaleUp), scalingOf(in.Spec.Behavior.ScaleDown)}, true)
	}
	return out
}

func toNewAutoscaler(in *autoscalingv1.HorizontalPodAutoscaler) autoscalingv2.HorizontalPodAutoscaler {
	out := autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: autoscalerMeta(in.ObjectMeta),
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference(in.Spec.ScaleTargetRef),
			MinReplicas:    in.Spec.MinReplicas,
			MaxReplicas:    in.Spec.MaxReplicas,
		},
		Status: autoscalingv2.HorizontalPodAutoscalerStatus{
			ObservedGeneration: in.Status.ObservedGeneration,
			LastScaleTime:      in.Status.LastScaleTime,
			CurrentReplicas:    in.Status.CurrentReplicas,
			DesiredReplicas:    in.Status.DesiredReplicas,
		},
	}
	cpu := in.Spec.TargetCPUUtilizationPercentage
	var others []autoscalingv1.MetricSpec
	if annotated(in, metricsAnnotation, &others) {
		out.Spec.Metrics = each(others, toNewMetric)
	}
	if cpu == nil && len(others) == 0 {
		cpu = new(int32(80))
	}
	if cpu != nil {
		out.Spec.Metrics = append(out.Spec.Metrics, autoscalingv2.MetricSpec{
			Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricSource{
				Name:   corev1.ResourceCPU,
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: cpu},
			},
		})
	}
	if used := in.Status.CurrentCPUUtilizationPercentage; used != nil {
		out.Status.CurrentMetrics = []autoscalingv2.MetricStatus{{
			Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricStatus{
				Name: corev1.ResourceCPU, Current: autoscalingv2.MetricValueStatus{AverageUtilization: used},
			},
		}}
	}
	var current []autoscalingv1.MetricStatus
	if annotated(in, currentAnnotation, &current) {
		out.Status.CurrentMetrics = each(current, toNewMetricStatus)
	}
	var conditions []autoscalingv2.HorizontalPodAutoscalerCondition
	if annotated(in, conditionsAnnotation, &conditions) {
		out.Status.Conditions = conditions
	}
	var b behavior
	if annotated(in, behaviorAnnotation, &b) && b != (behavior{}) {
		out.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: b.ScaleUp.rules(), ScaleDown: b.ScaleDown.rules()}
	}
	return out
}

// annotate sets an annotation to a value as JSON.
func annotate(m *metav1.ObjectMeta, name string, value any, set bool) {
	data, err := json.Marshal(value)
	if !set || err != nil {
		return
	}
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[name] = string(data)
}

// annotated reads an annotation, and reports whether it is there and valid.
func annotated(in *autoscalingv1.HorizontalPodAutoscaler, name string, into any) bool {
	text, ok := in.Annotations[name]
	return ok && json.Unmarshal([]byte(text), into) == nil
}

// behavior is the form of a scaling behavior in its annotation.
type behavior struct{ ScaleUp, ScaleDown *scaling }

type scaling struct {
	StabilizationWindowSeconds *int32
	SelectPolicy               *autoscalingv2.ScalingPolicySelect
	Policies                   []scalingPolicy
	Tolerance                  *quantity
}

type scalingPolicy struct {
	Type          autoscalingv2.HPAScalingPolicyType
	Value         int32
	PeriodSeconds int32
}

func scalingOf(r *autoscalingv2.HPAScalingRules) *scaling {
	if r == nil {
		return nil
	}
	return &scaling{r.StabilizationWindowSeconds, r.SelectPolicy, each(r.Policies, func(p *autoscalingv2.HPAScalingPolicy) scalingPolicy {
		return scalingPolicy(*p)
	}), r.Tolerance}
}

func (s *scaling) rules() *autoscalingv2.HPAScalingRules {
	if s == nil {
		return nil
	}
	return &autoscalingv2.HPAScalingRules{
		StabilizationWindowSeconds: s.StabilizationWindowSeconds,
		SelectPolicy:               s.SelectPolicy,
		Policies: each(s.Policies, func(p *scalingPolicy) autoscalingv2.HPAScalingPolicy {
			return autoscalingv2.HPAScalingPolicy(*p)
		}),
		Tolerance: s.Tolerance,
	}
}
