// Package views has views of built-in kinds. Its tests compare what their clients and informers read with the fields of
// whole objects, in JSON and in protobuf.
package views

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Pod has the ten fields of a Pod that a network agent reads.
// +listwatch:view=k8s.io/api/core/v1.Pod
type Pod struct {
	metav1.TypeMeta `json:",inline"`
	Meta            `json:"metadata"`

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

// Meta is the metadata that caches need.
type Meta struct {
	Name            string            `json:"name,omitempty"`
	Namespace       string            `json:"namespace,omitempty"`
	UID             types.UID         `json:"uid,omitempty"`
	ResourceVersion string            `json:"resourceVersion,omitempty"`
	Labels          map[string]string `json:"labels,omitempty"`
}

// PodForms has a field of every form: of structs that are inlined in JSON, pointers where the kind has values and the
// reverse, maps, types that decode themselves, and types of other packages.
// +listwatch:view=k8s.io/api/core/v1.Pod
type PodForms struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Volumes []struct {
			Name      string `json:"name"`
			ConfigMap *struct {
				Name     string `json:"name,omitempty"`
				Optional bool   `json:"optional,omitempty"`
				Items    []struct {
					Key  string `json:"key"`
					Mode *int32 `json:"mode,omitempty"`
				} `json:"items,omitempty"`
			} `json:"configMap,omitempty"`
			Secret *corev1.SecretVolumeSource `json:"secret,omitempty"`
			Claim  *struct {
				Template struct {
					Meta struct {
						Labels map[string]string `json:"labels,omitempty"`
					} `json:"metadata,omitempty"`
				} `json:"volumeClaimTemplate,omitempty"`
			} `json:"ephemeral,omitempty"`
		} `json:"volumes,omitempty"`
		Containers []struct {
			Image     string   `json:"image,omitempty"`
			Command   []string `json:"command,omitempty"`
			Resources struct {
				Limits map[corev1.ResourceName]resource.Quantity `json:"limits,omitempty"`
			} `json:"resources"`
			Liveness *struct {
				HTTPGet *struct {
					Port intstr.IntOrString `json:"port"`
				} `json:"httpGet,omitempty"`
				Period int32 `json:"periodSeconds,omitempty"`
			} `json:"livenessProbe,omitempty"`
		} `json:"containers,omitempty"`
		Priority     *int32              `json:"priority,omitempty"`
		Grace        int64               `json:"terminationGracePeriodSeconds,omitempty"`
		NodeSelector map[string]string   `json:"nodeSelector,omitempty"`
		Overhead     corev1.ResourceList `json:"overhead,omitempty"`
	} `json:"spec"`
	Status struct {
		StartTime  *metav1.Time          `json:"startTime,omitempty"`
		Conditions []corev1.PodCondition `json:"conditions,omitempty"`
	} `json:"status"`
}
