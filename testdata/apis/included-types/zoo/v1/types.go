package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Lion roars.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Lion struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec LionSpec `json:"spec"`
}

// LionSpec is what is wanted.
type LionSpec struct {
	Mane bool `json:"mane"`
}

// LionList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type LionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Lion `json:"items"`
}

// Ghost can be made only, and so has neither lister nor informer.
//
// +genclient
// +genclient:onlyVerbs=create
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Ghost struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GhostSpec `json:"spec"`
}

// GhostSpec is what is wanted.
type GhostSpec struct {
	Text string `json:"text"`
}
