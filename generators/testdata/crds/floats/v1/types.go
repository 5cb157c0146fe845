// Package v1 has floating point numbers.
//
// +groupName=floats.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Scale has numbers.
type Scale struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +kubebuilder:validation:Minimum=0.25
	// +kubebuilder:validation:Maximum=1e2
	// +kubebuilder:validation:MultipleOf=0.25
	// +kubebuilder:default=1.5
	Single float32 `json:"single,omitempty"`
	// +kubebuilder:validation:Enum=1.5;2.5
	Double  float64   `json:"double,omitempty"`
	Doubles []float64 `json:"doubles,omitempty"`
	Ratio   Ratio     `json:"ratio,omitempty"`
}

// Ratio is a share.
// +kubebuilder:validation:ExclusiveMaximum=true
// +kubebuilder:validation:Maximum=1
type Ratio float64
