// Package defaults sets the fields that clients leave empty in objects of Kubernetes' own kinds.
//
// The real server does it whenever it decodes an object, from a request or from storage, so a second time changes
// nothing. Defaults that need other objects are not here: those of admission plugins, and the addresses of services.
//
// Limits: objects of alpha and beta versions get only the defaults that the scheme has.
package defaults

import (
	"maps"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Defaulter applies the defaults of a scheme, and those of Kubernetes' own kinds.
type Defaulter struct{ Scheme *runtime.Scheme }

// Default implements runtime.ObjectDefaulter.
func (d Defaulter) Default(obj runtime.Object) {
	d.Scheme.Default(obj)
	roundAmounts(obj)
	switch o := obj.(type) {
	case *corev1.Namespace:
		LabelNamespace(o)
		fill(&o.Status.Phase, corev1.NamespaceActive)
	case *corev1.ConfigMap:
		if o.Data == nil {
			o.Data = map[string]string{}
		}
	case *corev1.Secret:
		fill(&o.Type, corev1.SecretTypeOpaque)
		mergeStringData(o)
	case *certificatesv1.PodCertificateRequest:
		fillPointer(&o.Spec.MaxExpirationSeconds, 24*60*60)
	case *corev1.Service:
		defaultService(o)
	case *corev1.Endpoints: //nolint:staticcheck // still served
		for i := range o.Subsets {
			for j := range o.Subsets[i].Ports {
				fill(&o.Subsets[i].Ports[j].Protocol, corev1.ProtocolTCP)
			}
		}
	case *corev1.PersistentVolume:
		fill(&o.Status.Phase, corev1.VolumePending)
		fill(&o.Spec.PersistentVolumeReclaimPolicy, corev1.PersistentVolumeReclaimRetain)
		fillPointer(&o.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
		defaultPersistentVolume(&o.Spec.PersistentVolumeSource)
	case *corev1.PersistentVolumeClaim:
		fill(&o.Status.Phase, corev1.ClaimPending)
		fillPointer(&o.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	case *corev1.Node:
		switch first, all := o.Spec.PodCIDR, o.Spec.PodCIDRs; {
		case first != "" && (len(all) == 0 || all[0] != first):
			o.Spec.PodCIDRs = []string{first}
		case first == "" && len(all) > 0:
			o.Spec.PodCIDR = all[0]
		}
		if o.Status.Allocatable == nil && o.Status.Capacity != nil {
			o.Status.Allocatable = o.Status.Capacity.DeepCopy()
		}
	case *corev1.LimitRange:
		for i := range o.Spec.Limits {
			defaultLimits(&o.Spec.Limits[i])
		}
	case *corev1.Pod:
		defaultPod(o)
	case *corev1.PodTemplate:
		defaultPodSpec(&o.Template.Spec)
	case *corev1.ReplicationController:
		defaultReplicationController(o)
	case *appsv1.Deployment:
		defaultDeployment(o)
	case *appsv1.ReplicaSet:
		fillPointer(&o.Spec.Replicas, 1)
		defaultPodSpec(&o.Spec.Template.Spec)
	case *appsv1.StatefulSet:
		defaultStatefulSet(o)
	case *appsv1.DaemonSet:
		defaultDaemonSet(o)
	case *batchv1.Job:
		defaultJob(&o.Spec)
		if len(o.Labels) == 0 {
			o.Labels = o.Spec.Template.Labels
		}
	case *batchv1.CronJob:
		fill(&o.Spec.ConcurrencyPolicy, batchv1.AllowConcurrent)
		fillPointer(&o.Spec.Suspend, false)
		fillPointer(&o.Spec.SuccessfulJobsHistoryLimit, 3)
		fillPointer(&o.Spec.FailedJobsHistoryLimit, 1)
		defaultPodSpec(&o.Spec.JobTemplate.Spec.Template.Spec)
	case *networkingv1.NetworkPolicy:
		defaultNetworkPolicy(o)
	case *networkingv1.IngressClass:
		if o.Spec.Parameters != nil {
			fillPointer(&o.Spec.Parameters.Scope, networkingv1.IngressClassParametersReferenceScopeCluster)
		}
	case *discoveryv1.EndpointSlice:
		for i := range o.Ports {
			fillPointer(&o.Ports[i].Name, "")
			fillPointer(&o.Ports[i].Protocol, corev1.ProtocolTCP)
		}
	case *rbacv1.ClusterRoleBinding:
		fill(&o.RoleRef.APIGroup, rbacv1.GroupName)
		defaultSubjects(o.Subjects)
	case *rbacv1.RoleBinding:
		fill(&o.RoleRef.APIGroup, rbacv1.GroupName)
		defaultSubjects(o.Subjects)
	case *schedulingv1.PriorityClass:
		fillPointer(&o.PreemptionPolicy, corev1.PreemptLowerPriority)
	case *storagev1.StorageClass:
		fillPointer(&o.ReclaimPolicy, corev1.PersistentVolumeReclaimDelete)
		fillPointer(&o.VolumeBindingMode, storagev1.VolumeBindingImmediate)
	case *storagev1.CSIDriver:
		defaultStorageDriver(&o.Spec)
	case *flowcontrolv1.FlowSchema:
		fill(&o.Spec.MatchingPrecedence, 1000)
	case *flowcontrolv1.PriorityLevelConfiguration:
		defaultLevel(&o.Spec)
	case *resourcev1.DeviceTaintRule:
		dateTaint(&o.Spec.Taint)
	case *resourcev1.ResourceSlice:
		for i := range o.Spec.Devices {
			for j := range o.Spec.Devices[i].Taints {
				dateTaint(&o.Spec.Devices[i].Taints[j])
			}
		}
	case *resourcev1.ResourceClaim:
		defaultDevices(o.Spec.Devices.Requests)
		if a := o.Status.Allocation; a != nil {
			for i := range a.Devices.Results {
				defaultTolerations(a.Devices.Results[i].Tolerations)
			}
		}
	case *resourcev1.ResourceClaimTemplate:
		defaultDevices(o.Spec.Spec.Devices.Requests)
	case *autoscalingv1.HorizontalPodAutoscaler:
		fillPointer(&o.Spec.MinReplicas, 1)
	case *autoscalingv2.HorizontalPodAutoscaler:
		defaultAutoscaler(o)
	case *admissionv1.ValidatingAdmissionPolicy:
		fillPointer(&o.Spec.FailurePolicy, admissionv1.Fail)
		defaultMatch(o.Spec.MatchConstraints)
	case *admissionv1.ValidatingAdmissionPolicyBinding:
		defaultMatch(o.Spec.MatchResources)
	case *admissionv1.MutatingAdmissionPolicy:
		fillPointer(&o.Spec.FailurePolicy, admissionv1.Fail)
		defaultMatch(o.Spec.MatchConstraints)
	case *admissionv1.MutatingAdmissionPolicyBinding:
		defaultMatch(o.Spec.MatchResources)
	case *admissionv1.ValidatingWebhookConfiguration:
		for i := range o.Webhooks {
			w := &o.Webhooks[i]
			defaultWebhook(&w.FailurePolicy, &w.MatchPolicy, &w.NamespaceSelector, &w.ObjectSelector, &w.TimeoutSeconds, w.Rules, &w.ClientConfig)
		}
	case *admissionv1.MutatingWebhookConfiguration:
		for i := range o.Webhooks {
			w := &o.Webhooks[i]
			defaultWebhook(&w.FailurePolicy, &w.MatchPolicy, &w.NamespaceSelector, &w.ObjectSelector, &w.TimeoutSeconds, w.Rules, &w.ClientConfig)
			fillPointer(&w.ReinvocationPolicy, admissionv1.NeverReinvocationPolicy)
		}
	}
}

// fill sets an empty field.
func fill[T comparable](field *T, value T) {
	if *field == *new(T) {
		*field = value
	}
}

// fillPointer sets a field that is nil.
func fillPointer[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// mergeStringData moves the stringData of a secret to its data.
func mergeStringData(s *corev1.Secret) {
	if len(s.StringData) == 0 {
		return
	}
	if s.Data == nil {
		s.Data = map[string][]byte{}
	}
	for k, v := range s.StringData {
		s.Data[k] = []byte(v)
	}
	s.StringData = nil
}

func defaultService(o *corev1.Service) {
	s := &o.Spec
	fill(&s.SessionAffinity, corev1.ServiceAffinityNone)
	switch s.SessionAffinity {
	case corev1.ServiceAffinityNone:
		s.SessionAffinityConfig = nil
	case corev1.ServiceAffinityClientIP:
		fillPointer(&s.SessionAffinityConfig, corev1.SessionAffinityConfig{})
		fillPointer(&s.SessionAffinityConfig.ClientIP, corev1.ClientIPConfig{})
		fillPointer(&s.SessionAffinityConfig.ClientIP.TimeoutSeconds, corev1.DefaultClientIPServiceAffinitySeconds)
	}
	fill(&s.Type, corev1.ServiceTypeClusterIP)
	for i := range s.Ports {
		p := &s.Ports[i]
		fill(&p.Protocol, corev1.ProtocolTCP)
		if p.TargetPort == intstr.FromInt32(0) || p.TargetPort == intstr.FromString("") {
			p.TargetPort = intstr.FromInt32(p.Port)
		}
	}
	outside := s.Type == corev1.ServiceTypeNodePort || s.Type == corev1.ServiceTypeLoadBalancer
	if outside || s.Type == corev1.ServiceTypeClusterIP && len(s.ExternalIPs) > 0 {
		fill(&s.ExternalTrafficPolicy, corev1.ServiceExternalTrafficPolicyCluster)
	}
	if outside || s.Type == corev1.ServiceTypeClusterIP {
		fillPointer(&s.InternalTrafficPolicy, corev1.ServiceInternalTrafficPolicyCluster)
	}
	if s.Type == corev1.ServiceTypeLoadBalancer {
		fillPointer(&s.AllocateLoadBalancerNodePorts, true)
		for i := range o.Status.LoadBalancer.Ingress {
			if in := &o.Status.LoadBalancer.Ingress[i]; in.IP != "" {
				fillPointer(&in.IPMode, corev1.LoadBalancerIPModeVIP)
			}
		}
	}
}

func defaultLimits(l *corev1.LimitRangeItem) {
	if l.Type != corev1.LimitTypeContainer {
		return
	}
	fillResources(&l.Default, l.Max)
	fillResources(&l.DefaultRequest, l.Default)
	fillResources(&l.DefaultRequest, l.Min)
}

// fillResources sets the missing amounts.
func fillResources(to *corev1.ResourceList, from corev1.ResourceList) {
	if *to == nil {
		*to = corev1.ResourceList{}
	}
	for name, amount := range from {
		if _, ok := (*to)[name]; !ok {
			(*to)[name] = amount.DeepCopy()
		}
	}
}

func defaultNetworkPolicy(o *networkingv1.NetworkPolicy) {
	for i := range o.Spec.Ingress {
		for j := range o.Spec.Ingress[i].Ports {
			fillPointer(&o.Spec.Ingress[i].Ports[j].Protocol, corev1.ProtocolTCP)
		}
	}
	for i := range o.Spec.Egress {
		for j := range o.Spec.Egress[i].Ports {
			fillPointer(&o.Spec.Egress[i].Ports[j].Protocol, corev1.ProtocolTCP)
		}
	}
	if len(o.Spec.PolicyTypes) > 0 {
		return
	}
	o.Spec.PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}
	if len(o.Spec.Egress) > 0 {
		o.Spec.PolicyTypes = append(o.Spec.PolicyTypes, networkingv1.PolicyTypeEgress)
	}
}

func defaultSubjects(subjects []rbacv1.Subject) {
	for i := range subjects {
		if s := &subjects[i]; s.Kind == rbacv1.UserKind || s.Kind == rbacv1.GroupKind {
			fill(&s.APIGroup, rbacv1.GroupName)
		}
	}
}

// LabelNamespace sets the label of a namespace that contains its name. The previous labels are not modified.
func LabelNamespace(ns *corev1.Namespace) {
	if ns.Name == "" || ns.Labels[corev1.LabelMetadataName] == ns.Name {
		return
	}
	ns.Labels = maps.Clone(ns.Labels)
	if ns.Labels == nil {
		ns.Labels = map[string]string{}
	}
	ns.Labels[corev1.LabelMetadataName] = ns.Name
}
