package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// TelescopeSpec is what is wanted.
//
// +k8s:deepcopy-gen=true
type TelescopeSpec struct {
	// +kubebuilder:validation:Minimum=0
	Aperture int32 `json:"aperture"`
}

// TelescopeStatus is what is there.
//
// +k8s:deepcopy-gen=true
type TelescopeStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +genclient
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=telescopes,scope=Namespaced
// +k8s:deepcopy-gen=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Telescope looks at the stars.
type Telescope struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   TelescopeSpec   `json:"spec,omitempty"`
	Status TelescopeStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true
// +k8s:deepcopy-gen=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// TelescopeList is a page of them.
type TelescopeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Telescope `json:"items"`
}

func init() {
	register(&Telescope{}, &TelescopeList{})
}
