package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Typed is not written by hand.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Typed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec TypedSpec `json:"spec"`
}

// TypedSpec is what is wanted.
type TypedSpec struct {
	Text string `json:"text"`
}

// TypedList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type TypedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Typed `json:"items"`
}
