package common

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Head is what every kind starts with.
type Head struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Body is what a kind has beside its own fields.
type Body struct {
	Status Status `json:"status,omitempty"`
}

// Status is what is there.
type Status struct {
	Ready bool `json:"ready"`
}
