package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// paths are the fields of a view, and what is left out, for Keep.
var paths = []string{
	"spec.nodeName", "spec.hostNetwork", "status.phase", "status.podIP", "status.conditions.type", "status.conditions.status",
	"-metadata.annotations", "-metadata.ownerReferences", "-metadata.finalizers",
}

// cut is a transform that does the same by hand, as users of client-go write it.
func cut(obj any) (any, error) {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return obj, nil
	}
	small := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: pod.Name, Namespace: pod.Namespace, UID: pod.UID, ResourceVersion: pod.ResourceVersion, Labels: pod.Labels,
			Generation: pod.Generation, CreationTimestamp: pod.CreationTimestamp, DeletionTimestamp: pod.DeletionTimestamp,
		},
		Spec:   corev1.PodSpec{NodeName: pod.Spec.NodeName, HostNetwork: pod.Spec.HostNetwork},
		Status: corev1.PodStatus{Phase: pod.Status.Phase, PodIP: pod.Status.PodIP},
	}
	for _, c := range pod.Status.Conditions {
		small.Status.Conditions = append(small.Status.Conditions, corev1.PodCondition{Type: c.Type, Status: c.Status})
	}
	return small, nil
}
