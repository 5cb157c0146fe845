package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Bed is where things grow.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Bed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BedSpec `json:"spec"`
}

// BedSpec is what is wanted.
type BedSpec struct {
	Plant string `json:"plant"`
}

// BedList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type BedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Bed `json:"items"`
}
