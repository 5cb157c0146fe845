package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// DomeSpec is what is wanted.
//
// +k8s:deepcopy-gen=true
type DomeSpec struct {
	// +kubebuilder:validation:Minimum=0
	Height int32 `json:"height"`
}

// DomeStatus is what is there.
//
// +k8s:deepcopy-gen=true
type DomeStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +genclient
// +genclient:nonNamespaced
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=domery,scope=Cluster
// +k8s:deepcopy-gen=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Dome covers a telescope; its plural and scope are by one marker.
type Dome struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DomeSpec   `json:"spec,omitempty"`
	Status DomeStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true
// +k8s:deepcopy-gen=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// DomeList is a page of them.
type DomeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Dome `json:"items"`
}

func init() {
	register(&Dome{}, &DomeList{})
}
