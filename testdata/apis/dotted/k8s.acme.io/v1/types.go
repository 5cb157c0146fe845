package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Rocket flies.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Rocket struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RocketSpec   `json:"spec"`
	Status RocketStatus `json:"status,omitempty"`
}

// RocketSpec is what is wanted.
type RocketSpec struct {
	Thrust int64 `json:"thrust"`
}

// RocketStatus is what is there.
type RocketStatus struct {
	Height int64 `json:"height"`
}

// RocketList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RocketList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Rocket `json:"items"`
}
