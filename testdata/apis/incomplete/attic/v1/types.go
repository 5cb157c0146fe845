package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Trunk is not finished.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Trunk struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   TrunkSpec   `json:"spec"`
	Status TrunkStatus `json:"status,omitempty"`
}

// TrunkSpec is what is wanted.
type TrunkSpec struct {
	Lid LidMode `json:"lid"`
}

// TrunkStatus is what is there.
type TrunkStatus struct {
	Open bool `json:"open"`
}

// TrunkList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type TrunkList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Trunk `json:"items"`
}
