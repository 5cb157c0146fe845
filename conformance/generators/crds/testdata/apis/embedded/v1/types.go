// Package v1 has objects within objects.
//
// +groupName=embedded.example.com
package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Fleet has templates.
type Fleet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Template          Template                       `json:"template,omitempty"`
	Claims            []corev1.PersistentVolumeClaim `json:"claims,omitempty"`
}

// Template is a template of an object.
type Template struct {
	// Metadata of the objects.
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Extra             *metav1.ObjectMeta `json:"extra,omitempty"`
	List              metav1.ListMeta    `json:"list,omitempty"`
	Image             string             `json:"image"`
}
