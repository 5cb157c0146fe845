package validation

import (
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var metricChecks = map[string]check{
	"scale-to-zero": of(func(s *autoscalingv2.HorizontalPodAutoscalerSpec, at *field.Path) field.ErrorList {
		if s.MinReplicas == nil || *s.MinReplicas != 0 || slices.ContainsFunc(s.Metrics, func(m autoscalingv2.MetricSpec) bool {
			return m.Type == autoscalingv2.ObjectMetricSourceType || m.Type == autoscalingv2.ExternalMetricSourceType
		}) {
			return nil
		}
		return field.ErrorList{field.Forbidden(at.Child("metrics"), "must specify at least one Object or External metric to support scaling to zero replicas")}
	}),
	"metric-target": of(metricTarget),
	"object-target": of(func(s *autoscalingv2.ObjectMetricSource, at *field.Path) field.ErrorList {
		if s.Target.Value == nil && s.Target.AverageValue == nil {
			return field.ErrorList{field.Required(at.Child("target", "averageValue"), "must set either a target value or averageValue")}
		}
		return nil
	}),
	"external-target": of(func(s *autoscalingv2.ExternalMetricSource, at *field.Path) field.ErrorList {
		switch value, average := s.Target.Value != nil, s.Target.AverageValue != nil; {
		case !value && !average:
			return field.ErrorList{field.Required(at.Child("target", "averageValue"), "must set either a target value for metric or a per-pod target")}
		case value && average:
			return field.ErrorList{field.Forbidden(at.Child("target", "value"), "may not set both a target value for metric and a per-pod target")}
		}
		return nil
	}),
	"pods-target": of(func(s *autoscalingv2.PodsMetricSource, at *field.Path) field.ErrorList {
		if s.Target.AverageValue == nil {
			return field.ErrorList{field.Required(at.Child("target", "averageValue"), "must specify a positive target averageValue")}
		}
		return nil
	}),
	"resource-target": of(func(s *autoscalingv2.ResourceMetricSource, at *field.Path) field.ErrorList {
		return utilization(&s.Target, at.Child("target"))
	}),
	"container-target": of(func(s *autoscalingv2.ContainerResourceMetricSource, at *field.Path) field.ErrorList {
		return utilization(&s.Target, at.Child("target"))
	}),
	"container-amount": of(func(name *corev1.ResourceName, at *field.Path) field.ErrorList { return containerResource(*name, at) }),
}

// metricFields are the fields of the types of metrics.
var metricFields = map[autoscalingv2.MetricSourceType]string{
	autoscalingv2.ObjectMetricSourceType: "object", autoscalingv2.PodsMetricSourceType: "pods", autoscalingv2.ResourceMetricSourceType: "resource",
	autoscalingv2.ExternalMetricSourceType: "external", autoscalingv2.ContainerResourceMetricSourceType: "containerResource",
}

// metric checks the source of a metric: the first of several, of which those of other types may not be set.
func metric(p place, members []string) field.ErrorList {
	m := pointerTo[autoscalingv2.MetricSpec](p.value)
	expected, known := metricFields[m.Type]
	types := []autoscalingv2.MetricSourceType{
		autoscalingv2.ContainerResourceMetricSourceType, autoscalingv2.ExternalMetricSourceType, autoscalingv2.ObjectMetricSourceType,
		autoscalingv2.PodsMetricSourceType, autoscalingv2.ResourceMetricSourceType,
	}
	var errs field.ErrorList
	if m.Type == "" {
		errs = append(errs, field.Required(p.path.Child("type"), "must specify a metric source type"))
	}
	if !known {
		errs = append(errs, field.NotSupported(p.path.Child("type"), m.Type, types))
	}
	var present []string
	for _, name := range members {
		f, ok := fieldOf(p.value.Type(), name)
		if !ok || p.value.FieldByIndex(f.index).IsNil() {
			continue
		}
		if present = append(present, name); len(present) == 1 {
			errs = append(errs, p.visitField(f)...)
		}
	}
	switch {
	case !known:
		errs = append(errs, field.NotSupported(p.path.Child("type"), m.Type, types))
	case !slices.Contains(present, expected):
		errs = append(errs, field.Required(p.path.Child(expected), "must populate information for the given metric source"))
	}
	if len(present) == 1 {
		return errs
	}
	for _, name := range present {
		if name != expected {
			errs = append(errs, field.Forbidden(p.path.Child(name), "must populate the given metric source only"))
		}
	}
	return errs
}

func metricTarget(t *autoscalingv2.MetricTarget, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch t.Type {
	case autoscalingv2.UtilizationMetricType, autoscalingv2.ValueMetricType, autoscalingv2.AverageValueMetricType:
	case "":
		errs = append(errs, field.Required(at.Child("type"), "must specify a metric target type"))
		fallthrough
	default:
		errs = append(errs, field.Invalid(at.Child("type"), t.Type, "must be either Utilization, Value, or AverageValue"))
	}
	for _, v := range []struct {
		name  string
		value *resource.Quantity
	}{{"value", t.Value}, {"averageValue", t.AverageValue}} {
		if v.value != nil && v.value.Sign() != 1 {
			errs = append(errs, field.Invalid(at.Child(v.name), v.value, "must be positive"))
		}
	}
	if n := t.AverageUtilization; n != nil && *n < 1 {
		errs = append(errs, field.Invalid(at.Child("averageUtilization"), *n, "must be greater than 0"))
	}
	return errs
}

// utilization checks that a target is an amount or a percentage.
func utilization(t *autoscalingv2.MetricTarget, at *field.Path) field.ErrorList {
	switch percent, amount := t.AverageUtilization != nil, t.AverageValue != nil; {
	case !percent && !amount:
		return field.ErrorList{field.Required(at.Child("averageUtilization"), "must set either a target raw value or a target utilization")}
	case percent && amount:
		return field.ErrorList{field.Forbidden(at.Child("averageValue"), "may not set both a target raw value and a target utilization")}
	}
	return nil
}
