package kinds

import (
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateAutoscaler checks the target, the bounds, and the types of metrics.
func validateAutoscaler(obj runtime.Object) field.ErrorList {
	a, ok := obj.(*autoscalingv2.HorizontalPodAutoscaler)
	if !ok {
		return nil // the scheme lacks the version that is stored
	}
	spec, s := field.NewPath("spec"), &a.Spec
	var errs, declared field.ErrorList // the real server lists those that it declares last
	if s.MinReplicas != nil && *s.MinReplicas < 0 {
		declared = append(declared, field.Invalid(spec.Child("minReplicas"), *s.MinReplicas, "must be greater than or equal to 0"))
	}
	if s.MinReplicas != nil && *s.MinReplicas == 0 && !slices.ContainsFunc(s.Metrics, func(m autoscalingv2.MetricSpec) bool {
		return m.Type == autoscalingv2.ObjectMetricSourceType || m.Type == autoscalingv2.ExternalMetricSourceType
	}) {
		errs = append(errs, field.Forbidden(spec.Child("metrics"), "must specify at least one Object or External metric to support scaling to zero replicas"))
	}
	switch {
	case s.MaxReplicas == 0:
		declared = append(declared, field.Required(spec.Child("maxReplicas"), ""))
	case s.MaxReplicas < 0:
		declared = append(declared, field.Invalid(spec.Child("maxReplicas"), s.MaxReplicas, "must be greater than or equal to 1"))
	}
	if s.MinReplicas != nil && s.MaxReplicas < *s.MinReplicas {
		errs = append(errs, field.Invalid(spec.Child("maxReplicas"), s.MaxReplicas, "must be greater than or equal to `minReplicas`"))
	}
	target := spec.Child("scaleTargetRef")
	if s.ScaleTargetRef.Kind == "" {
		errs = append(errs, field.Required(target.Child("kind"), ""))
	}
	if s.ScaleTargetRef.Name == "" {
		errs = append(errs, field.Required(target.Child("name"), ""))
	}
	if gv, err := schema.ParseGroupVersion(s.ScaleTargetRef.APIVersion); err != nil {
		errs = append(errs, field.Invalid(target.Child("apiVersion"), s.ScaleTargetRef.APIVersion, err.Error()))
	} else if gv.Group == "" && s.ScaleTargetRef.Kind != "ReplicationController" {
		errs = append(errs, field.Invalid(target.Child("apiVersion"), s.ScaleTargetRef.APIVersion, "apiVersion must specify API group"))
	}
	for i := range s.Metrics {
		errs = append(errs, validateMetric(&s.Metrics[i], spec.Child("metrics").Index(i))...)
	}
	return append(errs, declared...)
}

var metricTypes = []autoscalingv2.MetricSourceType{
	autoscalingv2.ContainerResourceMetricSourceType, autoscalingv2.ExternalMetricSourceType, autoscalingv2.ObjectMetricSourceType,
	autoscalingv2.PodsMetricSourceType, autoscalingv2.ResourceMetricSourceType,
}

func validateMetric(m *autoscalingv2.MetricSpec, path *field.Path) field.ErrorList {
	const missing = "must populate information for the given metric source"
	var source string
	var set bool
	switch m.Type {
	case autoscalingv2.ContainerResourceMetricSourceType:
		source, set = "containerResource", m.ContainerResource != nil
	case autoscalingv2.ExternalMetricSourceType:
		source, set = "external", m.External != nil
	case autoscalingv2.ObjectMetricSourceType:
		source, set = "object", m.Object != nil
	case autoscalingv2.PodsMetricSourceType:
		source, set = "pods", m.Pods != nil
	case autoscalingv2.ResourceMetricSourceType:
		source, set = "resource", m.Resource != nil
	default:
		return field.ErrorList{field.NotSupported(path.Child("type"), m.Type, metricTypes)}
	}
	if !set {
		return field.ErrorList{field.Required(path.Child(source), missing)}
	}
	if r := m.Resource; r != nil && r.Target.AverageUtilization != nil && *r.Target.AverageUtilization < 1 {
		return field.ErrorList{field.Invalid(path.Child("resource", "target", "averageUtilization"), *r.Target.AverageUtilization, "must be greater than 0")}
	}
	return nil
}
