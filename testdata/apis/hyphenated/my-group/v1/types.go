package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Parcel is on its way.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Parcel struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ParcelSpec   `json:"spec"`
	Status ParcelStatus `json:"status,omitempty"`
}

// ParcelSpec is what is wanted.
type ParcelSpec struct {
	Address string `json:"address"`
}

// ParcelStatus is what is there.
type ParcelStatus struct {
	Place string `json:"place"`
}

// ParcelList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ParcelList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Parcel `json:"items"`
}
