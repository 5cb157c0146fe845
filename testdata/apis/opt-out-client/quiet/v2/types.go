package v2

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Hush is quiet.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Hush struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec HushSpec `json:"spec"`
}

// HushSpec is what is wanted.
type HushSpec struct {
	Text string `json:"text"`
}

// HushList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type HushList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Hush `json:"items"`
}
