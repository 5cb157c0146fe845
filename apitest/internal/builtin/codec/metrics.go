package codec

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
)

type quantity = apiresource.Quantity

// The forms of an autoscaler's metrics in both versions.

func toOldMetric(in *autoscalingv2.MetricSpec) autoscalingv1.MetricSpec {
	out := autoscalingv1.MetricSpec{Type: autoscalingv1.MetricSourceType(in.Type)}
	if m := in.Object; m != nil {
		out.Object = &autoscalingv1.ObjectMetricSource{
			Target: autoscalingv1.CrossVersionObjectReference(m.DescribedObject), MetricName: m.Metric.Name,
			TargetValue: orZero(m.Target.Value), Selector: m.Metric.Selector, AverageValue: m.Target.AverageValue,
		}
	}
	if m := in.Pods; m != nil {
		out.Pods = &autoscalingv1.PodsMetricSource{
			MetricName: m.Metric.Name, TargetAverageValue: orZero(m.Target.AverageValue), Selector: m.Metric.Selector,
		}
	}
	if m := in.Resource; m != nil {
		out.Resource = &autoscalingv1.ResourceMetricSource{
			Name: m.Name, TargetAverageUtilization: m.Target.AverageUtilization, TargetAverageValue: m.Target.AverageValue,
		}
	}
	if m := in.ContainerResource; m != nil {
		out.ContainerResource = &autoscalingv1.ContainerResourceMetricSource{
			Name: m.Name, TargetAverageUtilization: m.Target.AverageUtilization, TargetAverageValue: m.Target.AverageValue, Container: m.Container,
		}
	}
	if m := in.External; m != nil {
		out.External = &autoscalingv1.ExternalMetricSource{
			MetricName: m.Metric.Name, MetricSelector: m.Metric.Selector, TargetValue: m.Target.Value, TargetAverageValue: m.Target.AverageValue,
		}
	}
	return out
}

func toNewMetric(in *autoscalingv1.MetricSpec) autoscalingv2.MetricSpec {
	out := autoscalingv2.MetricSpec{Type: autoscalingv2.MetricSourceType(in.Type)}
	if m := in.Object; m != nil {
		target := autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: &m.TargetValue, AverageValue: m.AverageValue}
		if m.AverageValue != nil {
			target.Type = autoscalingv2.AverageValueMetricType
			if m.TargetValue.IsZero() {
				target.Value = nil
			}
		}
		out.Object = &autoscalingv2.ObjectMetricSource{
			DescribedObject: autoscalingv2.CrossVersionObjectReference(m.Target), Target: target,
			Metric: autoscalingv2.MetricIdentifier{Name: m.MetricName, Selector: m.Selector},
		}
	}
	if m := in.Pods; m != nil {
		out.Pods = &autoscalingv2.PodsMetricSource{
			Metric: autoscalingv2.MetricIdentifier{Name: m.MetricName, Selector: m.Selector},
			Target: autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: &m.TargetAverageValue},
		}
	}
	if m := in.Resource; m != nil {
		out.Resource = &autoscalingv2.ResourceMetricSource{Name: m.Name, Target: resourceTarget(m.TargetAverageUtilization, m.TargetAverageValue)}
	}
	if m := in.ContainerResource; m != nil {
		out.ContainerResource = &autoscalingv2.ContainerResourceMetricSource{
			Name: m.Name, Target: resourceTarget(m.TargetAverageUtilization, m.TargetAverageValue), Container: m.Container,
		}
	}
	if m := in.External; m != nil {
		target := autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: m.TargetValue, AverageValue: m.TargetAverageValue}
		if m.TargetValue == nil {
			target.Type = autoscalingv2.AverageValueMetricType
		}
		out.External = &autoscalingv2.ExternalMetricSource{
			Metric: autoscalingv2.MetricIdentifier{Name: m.MetricName, Selector: m.MetricSelector}, Target: target,
		}
	}
	return out
}

// resourceTarget returns the target of a resource's metric.
func resourceTarget(utilization *int32, value *quantity) autoscalingv2.MetricTarget {
	target := autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: utilization, AverageValue: value}
	if utilization == nil {
		target.Type = autoscalingv2.AverageValueMetricType
	}
	return target
}

func toOldMetricStatus(in *autoscalingv2.MetricStatus) autoscalingv1.MetricStatus {
	out := autoscalingv1.MetricStatus{Type: autoscalingv1.MetricSourceType(in.Type)}
	if m := in.Object; m != nil {
		out.Object = &autoscalingv1.ObjectMetricStatus{
			Target: autoscalingv1.CrossVersionObjectReference(m.DescribedObject), MetricName: m.Metric.Name,
			CurrentValue: orZero(m.Current.Value), Selector: m.Metric.Selector, AverageValue: m.Current.AverageValue,
		}
	}
	if m := in.Pods; m != nil {
		out.Pods = &autoscalingv1.PodsMetricStatus{
			MetricName: m.Metric.Name, CurrentAverageValue: orZero(m.Current.AverageValue), Selector: m.Metric.Selector,
		}
	}
	if m := in.Resource; m != nil {
		out.Resource = &autoscalingv1.ResourceMetricStatus{
			Name: m.Name, CurrentAverageUtilization: m.Current.AverageUtilization, CurrentAverageValue: orZero(m.Current.AverageValue),
		}
	}
	if m := in.ContainerResource; m != nil {
		out.ContainerResource = &autoscalingv1.ContainerResourceMetricStatus{
			Name: m.Name, CurrentAverageUtilization: m.Current.AverageUtilization, CurrentAverageValue: orZero(m.Current.AverageValue), Container: m.Container,
		}
	}
	if m := in.External; m != nil {
		out.External = &autoscalingv1.ExternalMetricStatus{
			MetricName: m.Metric.Name, MetricSelector: m.Metric.Selector, CurrentValue: orZero(m.Current.Value), CurrentAverageValue: m.Current.AverageValue,
		}
	}
	return out
}

func toNewMetricStatus(in *autoscalingv1.MetricStatus) autoscalingv2.MetricStatus {
	out := autoscalingv2.MetricStatus{Type: autoscalingv2.MetricSourceType(in.Type)}
	if m := in.Object; m != nil {
		out.Object = &autoscalingv2.ObjectMetricStatus{
			DescribedObject: autoscalingv2.CrossVersionObjectReference(m.Target),
			Metric:          autoscalingv2.MetricIdentifier{Name: m.MetricName, Selector: m.Selector},
			Current:         autoscalingv2.MetricValueStatus{Value: &m.CurrentValue, AverageValue: m.AverageValue},
		}
	}
	if m := in.Pods; m != nil {
		out.Pods = &autoscalingv2.PodsMetricStatus{
			Metric:  autoscalingv2.MetricIdentifier{Name: m.MetricName, Selector: m.Selector},
			Current: autoscalingv2.MetricValueStatus{AverageValue: &m.CurrentAverageValue},
		}
	}
	if m := in.Resource; m != nil {
		out.Resource = &autoscalingv2.ResourceMetricStatus{
			Name: m.Name, Current: autoscalingv2.MetricValueStatus{AverageUtilization: m.CurrentAverageUtilization, AverageValue: &m.CurrentAverageValue},
		}
	}
	if m := in.ContainerResource; m != nil {
		out.ContainerResource = &autoscalingv2.ContainerResourceMetricStatus{
			Name: m.Name, Container: m.Container,
			Current: autoscalingv2.MetricValueStatus{AverageUtilization: m.CurrentAverageUtilization, AverageValue: &m.CurrentAverageValue},
		}
	}
	if m := in.External; m != nil {
		out.External = &autoscalingv2.ExternalMetricStatus{
			Metric:  autoscalingv2.MetricIdentifier{Name: m.MetricName, Selector: m.MetricSelector},
			Current: autoscalingv2.MetricValueStatus{Value: &m.CurrentValue, AverageValue: m.CurrentAverageValue},
		}
	}
	return out
}

func orZero(q *quantity) quantity {
	if q == nil {
		return quantity{}
	}
	return *q
}
