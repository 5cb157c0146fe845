// Package v1 has fields that are optional by default.
//
// +groupName=optional.example.com
// +kubebuilder:validation:Optional
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Option is an option.
//
// +kubebuilder:object:root=true
type Option struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	A string `json:"a"`
	// +required
	B string `json:"b"`
	// +kubebuilder:validation:Required
	C string `json:"c,omitempty"`
	D Part   `json:"d"`
}

// Part is a part.
type Part struct {
	X string `json:"x"`
	// +required
	Y string `json:"y"`
}
