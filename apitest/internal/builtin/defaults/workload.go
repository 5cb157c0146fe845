package defaults

import (
	"math"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func defaultReplicationController(o *corev1.ReplicationController) {
	fillPointer(&o.Spec.Replicas, 1)
	t := o.Spec.Template
	if t == nil {
		return
	}
	defaultPodSpec(&t.Spec)
	if len(o.Spec.Selector) == 0 {
		o.Spec.Selector = t.Labels
	}
	if len(o.Labels) == 0 {
		o.Labels = t.Labels
	}
}

func defaultDeployment(o *appsv1.Deployment) {
	fillPointer(&o.Spec.Replicas, 1)
	s := &o.Spec.Strategy
	fill(&s.Type, appsv1.RollingUpdateDeploymentStrategyType)
	if s.Type == appsv1.RollingUpdateDeploymentStrategyType {
		fillPointer(&s.RollingUpdate, appsv1.RollingUpdateDeployment{})
		fillPointer(&s.RollingUpdate.MaxUnavailable, intstr.FromString("25%"))
		fillPointer(&s.RollingUpdate.MaxSurge, intstr.FromString("25%"))
	}
	fillPointer(&o.Spec.RevisionHistoryLimit, 10)
	fillPointer(&o.Spec.ProgressDeadlineSeconds, 600)
	defaultPodSpec(&o.Spec.Template.Spec)
}

func defaultDaemonSet(o *appsv1.DaemonSet) {
	if _, ok := o.Annotations[appsv1.DeprecatedTemplateGeneration]; !ok { // of a field that other versions have
		metav1.SetMetaDataAnnotation(&o.ObjectMeta, appsv1.DeprecatedTemplateGeneration, "0")
	}
	s := &o.Spec.UpdateStrategy
	fill(&s.Type, appsv1.RollingUpdateDaemonSetStrategyType)
	if s.Type == appsv1.RollingUpdateDaemonSetStrategyType {
		fillPointer(&s.RollingUpdate, appsv1.RollingUpdateDaemonSet{})
		fillPointer(&s.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
		fillPointer(&s.RollingUpdate.MaxSurge, intstr.FromInt32(0))
	}
	fillPointer(&o.Spec.RevisionHistoryLimit, 10)
	defaultPodSpec(&o.Spec.Template.Spec)
}

func defaultStatefulSet(o *appsv1.StatefulSet) {
	fill(&o.Spec.PodManagementPolicy, appsv1.OrderedReadyPodManagement)
	s := &o.Spec.UpdateStrategy
	if s.Type == "" {
		s.Type = appsv1.RollingUpdateStatefulSetStrategyType
		fillPointer(&s.RollingUpdate, appsv1.RollingUpdateStatefulSetStrategy{})
	}
	if s.Type == appsv1.RollingUpdateStatefulSetStrategyType && s.RollingUpdate != nil {
		fillPointer(&s.RollingUpdate.Partition, 0)
		fillPointer(&s.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
	}
	fillPointer(&o.Spec.PersistentVolumeClaimRetentionPolicy, appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{})
	fill(&o.Spec.PersistentVolumeClaimRetentionPolicy.WhenDeleted, appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	fill(&o.Spec.PersistentVolumeClaimRetentionPolicy.WhenScaled, appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	fillPointer(&o.Spec.Replicas, 1)
	fillPointer(&o.Spec.RevisionHistoryLimit, 10)
	defaultPodSpec(&o.Spec.Template.Spec)
	for i := range o.Spec.VolumeClaimTemplates {
		c := &o.Spec.VolumeClaimTemplates[i]
		fill(&c.Kind, "PersistentVolumeClaim")
		fill(&c.APIVersion, "v1")
		fill(&c.Status.Phase, corev1.ClaimPending)
		fillPointer(&c.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	}
}

func defaultJob(s *batchv1.JobSpec) {
	if s.Completions == nil && s.Parallelism == nil {
		s.Completions = new(int32(1))
	}
	fillPointer(&s.Parallelism, 1)
	if s.BackoffLimitPerIndex != nil {
		fillPointer(&s.BackoffLimit, math.MaxInt32)
	}
	fillPointer(&s.BackoffLimit, 6)
	fillPointer(&s.CompletionMode, batchv1.NonIndexedCompletion)
	fillPointer(&s.Suspend, false)
	if s.PodFailurePolicy != nil {
		fillPointer(&s.PodReplacementPolicy, batchv1.Failed)
		for i := range s.PodFailurePolicy.Rules {
			for j := range s.PodFailurePolicy.Rules[i].OnPodConditions {
				fill(&s.PodFailurePolicy.Rules[i].OnPodConditions[j].Status, corev1.ConditionTrue)
			}
		}
	}
	fillPointer(&s.PodReplacementPolicy, batchv1.TerminatingOrFailed)
	fillPointer(&s.ManualSelector, false)
	defaultPodSpec(&s.Template.Spec)
}

func defaultAutoscaler(o *autoscalingv2.HorizontalPodAutoscaler) {
	fillPointer(&o.Spec.MinReplicas, 1)
	if len(o.Spec.Metrics) == 0 {
		o.Spec.Metrics = []autoscalingv2.MetricSpec{{
			Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricSource{
				Name:   corev1.ResourceCPU,
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: new(int32(80))},
			},
		}}
	}
	b := o.Spec.Behavior
	if b == nil {
		return
	}
	percent := autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PercentScalingPolicy, Value: 100, PeriodSeconds: 15}
	pods := autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PodsScalingPolicy, Value: 4, PeriodSeconds: 15}
	for _, rules := range []**autoscalingv2.HPAScalingRules{&b.ScaleUp, &b.ScaleDown} {
		fillPointer(rules, autoscalingv2.HPAScalingRules{})
		fillPointer(&(*rules).SelectPolicy, autoscalingv2.MaxChangePolicySelect)
	}
	fillPointer(&b.ScaleUp.StabilizationWindowSeconds, 0)
	if b.ScaleUp.Policies == nil {
		b.ScaleUp.Policies = []autoscalingv2.HPAScalingPolicy{pods, percent}
	}
	if b.ScaleDown.Policies == nil {
		b.ScaleDown.Policies = []autoscalingv2.HPAScalingPolicy{percent}
	}
}
