// Package agent has a view of Pods.
package agent

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// PodView has the fields of a Pod that a network agent reads.
//
// +listwatch:view=k8s.io/api/core/v1.Pod
type PodView struct {
	metav1.TypeMeta `json:",inline"`
	PodMeta         `json:"metadata"`

	Spec struct {
		NodeName    string `json:"nodeName,omitempty"`
		HostNetwork bool   `json:"hostNetwork,omitempty"`
	} `json:"spec"`
	Status struct {
		Phase      corev1.PodPhase `json:"phase,omitempty"`
		PodIP      string          `json:"podIP,omitempty"`
		Conditions []struct {
			Type   corev1.PodConditionType `json:"type"`
			Status corev1.ConditionStatus  `json:"status"`
		} `json:"conditions,omitempty"`
	} `json:"status"`
}

// PodMeta is the metadata that caches need.
type PodMeta struct {
	Name            string            `json:"name,omitempty"`
	Namespace       string            `json:"namespace,omitempty"`
	UID             types.UID         `json:"uid,omitempty"`
	ResourceVersion string            `json:"resourceVersion,omitempty"`
	Labels          map[string]string `json:"labels,omitempty"`
}
