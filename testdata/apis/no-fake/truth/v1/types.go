package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Fact is so.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Fact struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FactSpec `json:"spec"`
}

// FactSpec is what is wanted.
type FactSpec struct {
	Text string `json:"text"`
}

// FactList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type FactList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Fact `json:"items"`
}
