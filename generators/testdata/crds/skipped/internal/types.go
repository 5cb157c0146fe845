// Package internal is skipped.
//
// +kubebuilder:skip
// +groupName=skipped.example.com
package internal

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Thing is internal.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
