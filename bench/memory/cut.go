package main

import corev1 "k8s.io/api/core/v1"

// ten are the fields of a view, and what is left out.
var ten = &fields{
	paths: []string{
		"spec.nodeName", "spec.hostNetwork", "status.phase", "status.podIP", "status.conditions.type", "status.conditions.status",
		"-metadata.annotations", "-metadata.ownerReferences", "-metadata.finalizers",
	},
	cut: ofPods(cut),
}

// cut cuts a Pod by hand, as users of client-go do.
func cut(pod *corev1.Pod) *corev1.Pod {
	small := &corev1.Pod{
		ObjectMeta: essential(pod),
		Spec:       corev1.PodSpec{NodeName: pod.Spec.NodeName, HostNetwork: pod.Spec.HostNetwork},
		Status:     corev1.PodStatus{Phase: pod.Status.Phase, PodIP: pod.Status.PodIP},
	}
	for _, c := range pod.Status.Conditions {
		small.Status.Conditions = append(small.Status.Conditions, corev1.PodCondition{Type: c.Type, Status: c.Status})
	}
	return small
}
