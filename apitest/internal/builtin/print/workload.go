package print

import (
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func deploymentCells(o *appsv1.Deployment) []any {
	names, images := containerCells(o.Spec.Template)
	selector := ""
	if s, err := metav1.LabelSelectorAsSelector(o.Spec.Selector); err == nil {
		selector = s.String()
	}
	return []any{o.Name, fmt.Sprintf("%d/%d", o.Status.ReadyReplicas, value(o.Spec.Replicas)), int64(o.Status.UpdatedReplicas),
		int64(o.Status.AvailableReplicas), age(o), names, images, selector}
}

func replicaSetCells(o *appsv1.ReplicaSet) []any {
	names, images := containerCells(o.Spec.Template)
	return []any{o.Name, int64(value(o.Spec.Replicas)), int64(o.Status.Replicas), int64(o.Status.ReadyReplicas), age(o),
		names, images, metav1.FormatLabelSelector(o.Spec.Selector)}
}

func replicationControllerCells(o *corev1.ReplicationController) []any {
	var names, images string
	if o.Spec.Template != nil {
		names, images = containerCells(*o.Spec.Template)
	}
	return []any{o.Name, int64(value(o.Spec.Replicas)), int64(o.Status.Replicas), int64(o.Status.ReadyReplicas), age(o),
		names, images, labels.FormatLabels(o.Spec.Selector)}
}

func statefulSetCells(o *appsv1.StatefulSet) []any {
	names, images := containerCells(o.Spec.Template)
	return []any{o.Name, fmt.Sprintf("%d/%d", o.Status.ReadyReplicas, value(o.Spec.Replicas)), age(o), names, images}
}

func daemonSetCells(o *appsv1.DaemonSet) []any {
	names, images := containerCells(o.Spec.Template)
	s := o.Status
	return []any{o.Name, int64(s.DesiredNumberScheduled), int64(s.CurrentNumberScheduled), int64(s.NumberReady),
		int64(s.UpdatedNumberScheduled), int64(s.NumberAvailable), labels.FormatLabels(o.Spec.Template.Spec.NodeSelector), age(o),
		names, images, metav1.FormatLabelSelector(o.Spec.Selector)}
}

func controllerRevisionCells(o *appsv1.ControllerRevision) []any {
	controller := none
	if ref := metav1.GetControllerOf(o); ref != nil {
		kind := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).GroupKind()
		controller = strings.ToLower(kind.String()) + "/" + ref.Name
	}
	return []any{o.Name, controller, o.Revision, age(o)}
}

func podTemplateCells(o *corev1.PodTemplate) []any {
	names, images := containerCells(o.Template)
	return []any{o.Name, names, images, labels.FormatLabels(o.Template.Labels)}
}

func cronJobCells(o *batchv1.CronJob) []any {
	names, images := containerCells(o.Spec.JobTemplate.Spec.Template)
	last := none
	if o.Status.LastScheduleTime != nil {
		last = since(o.Status.LastScheduleTime.Time)
	}
	zone := none
	if o.Spec.TimeZone != nil {
		zone = *o.Spec.TimeZone
	}
	suspended := unset
	if o.Spec.Suspend != nil {
		suspended = strings.ToUpper(fmt.Sprint(*o.Spec.Suspend)[:1]) + fmt.Sprint(*o.Spec.Suspend)[1:]
	}
	return []any{o.Name, o.Spec.Schedule, zone, suspended, int64(len(o.Status.Active)), last, age(o),
		names, images, metav1.FormatLabelSelector(o.Spec.JobTemplate.Spec.Selector)}
}

func disruptionBudgetCells(o *policyv1.PodDisruptionBudget) []any {
	bound := func(v *intstr.IntOrString) string {
		if v == nil {
			return "N/A"
		}
		return v.String()
	}
	return []any{o.Name, bound(o.Spec.MinAvailable), bound(o.Spec.MaxUnavailable), int64(o.Status.DisruptionsAllowed), age(o)}
}

func containerCells(template corev1.PodTemplateSpec) (names, images string) {
	for i, c := range template.Spec.Containers {
		if i > 0 {
			names, images = names+",", images+","
		}
		names, images = names+c.Name, images+c.Image
	}
	return names, images
}

func jobCells(o *batchv1.Job) []any {
	completions := fmt.Sprintf("%d/1", o.Status.Succeeded)
	if o.Spec.Completions != nil {
		completions = fmt.Sprintf("%d/%d", o.Status.Succeeded, *o.Spec.Completions)
	} else if n := value(o.Spec.Parallelism); n > 1 {
		completions = fmt.Sprintf("%d/1 of %d", o.Status.Succeeded, n)
	}
	took := ""
	if start := o.Status.StartTime; start != nil {
		end := time.Now()
		if o.Status.CompletionTime != nil {
			end = o.Status.CompletionTime.Time
		}
		took = duration.HumanDuration(end.Sub(start.Time))
	}
	names, images := containerCells(o.Spec.Template)
	return []any{o.Name, jobStatus(o), completions, took, age(o), names, images, metav1.FormatLabelSelector(o.Spec.Selector)}
}

// jobStatus returns the first condition that holds, by importance.
func jobStatus(o *batchv1.Job) string {
	has := func(t batchv1.JobConditionType) bool {
		return slices.ContainsFunc(o.Status.Conditions, func(c batchv1.JobCondition) bool {
			return c.Type == t && c.Status == corev1.ConditionTrue
		})
	}
	for _, t := range []batchv1.JobConditionType{batchv1.JobComplete, batchv1.JobFailed} {
		if has(t) {
			return string(t)
		}
	}
	if o.DeletionTimestamp != nil {
		return "Terminating"
	}
	for _, t := range []batchv1.JobConditionType{batchv1.JobSuspended, batchv1.JobFailureTarget, batchv1.JobSuccessCriteriaMet} {
		if has(t) {
			return string(t)
		}
	}
	return "Running"
}

func autoscalerCells(obj runtime.Object) []any {
	if o, ok := obj.(*autoscalingv1.HorizontalPodAutoscaler); ok {
		targets := none
		if target := o.Spec.TargetCPUUtilizationPercentage; target != nil {
			targets = fmt.Sprintf("cpu: %s/%d%%", percent(o.Status.CurrentCPUUtilizationPercentage, unknown), *target)
		}
		return autoscalerRow(&o.ObjectMeta, o.Spec.ScaleTargetRef.Kind, o.Spec.ScaleTargetRef.Name, targets,
			o.Spec.MinReplicas, o.Spec.MaxReplicas, o.Status.CurrentReplicas)
	}
	o, ok := obj.(*autoscalingv2.HorizontalPodAutoscaler)
	if !ok {
		return nil
	}
	var targets []string
	for i, m := range o.Spec.Metrics {
		var current autoscalingv2.MetricStatus
		if i < len(o.Status.CurrentMetrics) {
			current = o.Status.CurrentMetrics[i]
		}
		targets = append(targets, metricText(m, current))
	}
	joined := none
	if len(targets) > 0 {
		joined = strings.Join(targets[:min(2, len(targets))], ", ")
	}
	if more := len(targets) - 2; more > 0 {
		joined = fmt.Sprintf("%s + %d more...", joined, more)
	}
	return autoscalerRow(&o.ObjectMeta, o.Spec.ScaleTargetRef.Kind, o.Spec.ScaleTargetRef.Name, joined,
		o.Spec.MinReplicas, o.Spec.MaxReplicas, o.Status.CurrentReplicas)
}

func autoscalerRow(m *metav1.ObjectMeta, kind, name, targets string, least *int32, most, current int32) []any {
	return []any{m.Name, kind + "/" + name, targets, text(least), int64(most), int64(current), age(m)}
}

func percent(n *int32, otherwise string) string {
	if n == nil {
		return otherwise
	}
	return fmt.Sprintf("%d%%", *n)
}

// metricText returns the current value of a metric and its target.
func metricText(m autoscalingv2.MetricSpec, s autoscalingv2.MetricStatus) string {
	var name string
	var target autoscalingv2.MetricTarget
	var current autoscalingv2.MetricValueStatus
	switch {
	case m.Resource != nil:
		name, target = string(m.Resource.Name), m.Resource.Target
		if s.Resource != nil {
			current = s.Resource.Current
		}
	case m.ContainerResource != nil:
		name, target = string(m.ContainerResource.Name), m.ContainerResource.Target
		if s.ContainerResource != nil {
			current = s.ContainerResource.Current
		}
	case m.Pods != nil:
		target = m.Pods.Target
		if s.Pods != nil {
			current = s.Pods.Current
		}
		return quantityText(current.AverageValue) + "/" + quantityText(target.AverageValue)
	case m.Object != nil:
		target = m.Object.Target
		if s.Object != nil {
			current = s.Object.Current
		}
	case m.External != nil:
		target = m.External.Target
		if s.External != nil {
			current = s.External.Current
		}
	default:
		return "<unknown type>"
	}
	switch {
	case name != "" && target.AverageValue != nil:
		return name + ": " + quantityText(current.AverageValue) + "/" + target.AverageValue.String()
	case name != "":
		return name + ": " + percent(current.AverageUtilization, unknown) + "/" + percent(target.AverageUtilization, "<auto>")
	case target.AverageValue != nil:
		return quantityText(current.AverageValue) + "/" + target.AverageValue.String() + " (avg)"
	}
	return quantityText(current.Value) + "/" + quantityText(target.Value)
}

func quantityText(q *apiresource.Quantity) string {
	if q == nil {
		return unknown
	}
	return q.String()
}
