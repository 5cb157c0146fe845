// Package network has what the program needs to know of the network of pods.
package network

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Pod has some fields of a pod.
// +listwatch:view=k8s.io/api/core/v1.Pod
type Pod struct {
	metav1.TypeMeta `json:",inline"`
	Meta            `json:"metadata"`

	Spec struct {
		NodeName string `json:"nodeName"`
	} `json:"spec"`
	Status struct {
		PodIP string `json:"podIP"`
	} `json:"status"`
}

// Meta is the metadata that caches need.
type Meta struct {
	Name            string            `json:"name"`
	Namespace       string            `json:"namespace"`
	UID             types.UID         `json:"uid"`
	ResourceVersion string            `json:"resourceVersion"`
	Labels          map[string]string `json:"labels"`
}
