package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Shoe is sold in pairs.
type Shoe struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ShoeSpec   `json:"spec"`
	Status ShoeStatus `json:"status,omitempty"`
}

// ShoeSpec says what a shoe is like.
type ShoeSpec struct {
	Size  *int32            `json:"size,omitempty"`
	Laces map[string]string `json:"laces,omitempty"`
}

// ShoeStatus says where a shoe is.
type ShoeStatus struct {
	Since      metav1.Time        `json:"since,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// ShoeList is a list of shoes.
type ShoeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Shoe `json:"items"`
}
