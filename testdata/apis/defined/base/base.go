package base

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Mask is a kind without a client of its own.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Mask struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   MaskSpec   `json:"spec"`
	Status MaskStatus `json:"status,omitempty"`
}

// MaskSpec is what is wanted.
type MaskSpec struct {
	Face string `json:"face"`
}

// MaskStatus is what is there.
type MaskStatus struct {
	Worn bool `json:"worn"`
}

// MaskList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type MaskList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Mask `json:"items"`
}
