package defaults

import (
	admissionv1 "k8s.io/api/admissionregistration/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func defaultWebhook(failure **admissionv1.FailurePolicyType, match **admissionv1.MatchPolicyType,
	namespaces, objects **metav1.LabelSelector, timeout **int32, rules []admissionv1.RuleWithOperations, client *admissionv1.WebhookClientConfig) {
	fillPointer(failure, admissionv1.Fail)
	fillPointer(match, admissionv1.Equivalent)
	fillPointer(namespaces, metav1.LabelSelector{})
	fillPointer(objects, metav1.LabelSelector{})
	fillPointer(timeout, 10)
	for i := range rules {
		fillPointer(&rules[i].Scope, admissionv1.AllScopes)
	}
	if client.Service != nil {
		fillPointer(&client.Service.Port, 443)
	}
}

// defaultMatch applies the defaults for the resources to which a policy applies.
func defaultMatch(m *admissionv1.MatchResources) {
	if m == nil {
		return
	}
	fillPointer(&m.MatchPolicy, admissionv1.Equivalent)
	fillPointer(&m.NamespaceSelector, metav1.LabelSelector{})
	fillPointer(&m.ObjectSelector, metav1.LabelSelector{})
	for _, rules := range [][]admissionv1.NamedRuleWithOperations{m.ResourceRules, m.ExcludeResourceRules} {
		for i := range rules {
			fillPointer(&rules[i].Scope, admissionv1.AllScopes)
		}
	}
}

func defaultStorageDriver(s *storagev1.CSIDriverSpec) {
	fillPointer(&s.AttachRequired, true)
	fillPointer(&s.PodInfoOnMount, false)
	fillPointer(&s.StorageCapacity, false)
	fillPointer(&s.FSGroupPolicy, storagev1.ReadWriteOnceWithFSTypeFSGroupPolicy)
	fillPointer(&s.RequiresRepublish, false)
	fillPointer(&s.SELinuxMount, false)
	fillPointer(&s.PreventPodSchedulingIfMissing, false)
	if len(s.VolumeLifecycleModes) == 0 {
		s.VolumeLifecycleModes = []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent}
	}
}

func defaultLevel(s *flowcontrolv1.PriorityLevelConfigurationSpec) {
	if e := s.Exempt; e != nil {
		fillPointer(&e.NominalConcurrencyShares, 0)
		fillPointer(&e.LendablePercent, 0)
	}
	l := s.Limited
	if l == nil {
		return
	}
	fillPointer(&l.NominalConcurrencyShares, 30)
	fillPointer(&l.LendablePercent, 0)
	if q := l.LimitResponse.Queuing; q != nil {
		fill(&q.Queues, 64)
		fill(&q.HandSize, 8)
		fill(&q.QueueLengthLimit, 50)
	}
}

func defaultTolerations(tolerations []resourcev1.DeviceToleration) {
	for i := range tolerations {
		fill(&tolerations[i].Operator, resourcev1.DeviceTolerationOpEqual)
	}
}

// dateTaint sets the time since which a device has a taint.
func dateTaint(t *resourcev1.DeviceTaint) {
	fillPointer(&t.TimeAdded, metav1.Now().Rfc3339Copy())
}

// defaultDevices sets the default number of requested devices, and how taints are tolerated.
func defaultDevices(requests []resourcev1.DeviceRequest) {
	for i := range requests {
		if e := requests[i].Exactly; e != nil {
			defaultTolerations(e.Tolerations)
			fill(&e.AllocationMode, resourcev1.DeviceAllocationModeExactCount)
			if e.AllocationMode == resourcev1.DeviceAllocationModeExactCount {
				fill(&e.Count, 1)
			}
		}
		for j := range requests[i].FirstAvailable {
			s := &requests[i].FirstAvailable[j]
			defaultTolerations(s.Tolerations)
			fill(&s.AllocationMode, resourcev1.DeviceAllocationModeExactCount)
			if s.AllocationMode == resourcev1.DeviceAllocationModeExactCount {
				fill(&s.Count, 1)
			}
		}
	}
}
