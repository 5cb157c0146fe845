// Package v1 is not skipped.
//
// +groupName=skipped.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Thing is not marked as a kind, but has metadata.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Half has no TypeMeta.
type Half struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
