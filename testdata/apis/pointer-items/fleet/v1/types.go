package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Ship sails.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Ship struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ShipSpec   `json:"spec"`
	Status ShipStatus `json:"status,omitempty"`
}

// ShipSpec is what is wanted.
type ShipSpec struct {
	Port string `json:"port"`
}

// ShipStatus is what is there.
type ShipStatus struct {
	Sailing bool `json:"sailing"`
}

// ShipList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ShipList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []*Ship `json:"items"`
}
