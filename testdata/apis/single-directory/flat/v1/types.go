package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Plate is flat.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Plate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PlateSpec `json:"spec"`
}

// PlateSpec is what is wanted.
type PlateSpec struct {
	Width int32 `json:"width"`
}

// PlateList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type PlateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Plate `json:"items"`
}
