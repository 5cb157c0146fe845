package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Beer is brewed.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Beer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BeerSpec   `json:"spec"`
	Status BeerStatus `json:"status,omitempty"`
}

// BeerSpec is what is wanted.
type BeerSpec struct {
	Hops int32 `json:"hops"`
}

// BeerStatus is what is there.
type BeerStatus struct {
	Bottles int64 `json:"bottles"`
}

// BeerList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type BeerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Beer `json:"items"`
}
