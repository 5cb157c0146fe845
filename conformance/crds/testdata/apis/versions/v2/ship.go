package v2

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Ship is not ready.
//
// +kubebuilder:skipversion
type Ship struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
