package agent

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// OperatorPod has the fields of a Pod that Cilium's operator reads.
//
// +listwatch:view=k8s.io/api/core/v1.Pod
type OperatorPod struct {
	metav1.TypeMeta `json:",inline"`
	PodMeta         `json:"metadata"`

	Spec struct {
		NodeName    string `json:"nodeName,omitempty"`
		HostNetwork bool   `json:"hostNetwork,omitempty"`
	} `json:"spec"`
	Status struct {
		StartTime  *metav1.Time `json:"startTime,omitempty"`
		Conditions []struct {
			Type   corev1.PodConditionType `json:"type"`
			Status corev1.ConditionStatus  `json:"status"`
		} `json:"conditions,omitempty"`
	} `json:"status"`
}
