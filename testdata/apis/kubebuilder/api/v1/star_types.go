package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// StarSpec is what is wanted.
//
// +k8s:deepcopy-gen=true
type StarSpec struct {
	// +kubebuilder:validation:Minimum=0
	Magnitude int32 `json:"magnitude"`
}

// StarStatus is what is there.
//
// +k8s:deepcopy-gen=true
type StarStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +genclient
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=stars,scope=Cluster
// +k8s:deepcopy-gen=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Star shines; nothing but kubebuilder's marker says that it is outside of namespaces.
type Star struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   StarSpec   `json:"spec,omitempty"`
	Status StarStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true
// +k8s:deepcopy-gen=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// StarList is a page of them.
type StarList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Star `json:"items"`
}

func init() {
	register(&Star{}, &StarList{})
}
