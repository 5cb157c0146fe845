package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Anvil is heavy.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Anvil struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   AnvilSpec   `json:"spec"`
	Status AnvilStatus `json:"status,omitempty"`
}

// AnvilSpec is what is wanted.
type AnvilSpec struct {
	Weight int32 `json:"weight"`
}

// AnvilStatus is what is there.
type AnvilStatus struct {
	Dents int32 `json:"dents"`
}

// AnvilList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type AnvilList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Anvil `json:"items"`
}
