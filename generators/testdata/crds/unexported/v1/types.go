// Package v1 has unexported fields.
//
// +groupName=unexported.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Box has a hidden field.
type Box struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Shown             string `json:"shown,omitempty"`
	hidden            string
	tagged            string `json:"tagged,omitempty"`
}
