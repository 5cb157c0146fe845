package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Ore is heavy.
//
// +genclient
// +genclient:method=Weigh,verb=get,subresource=weight
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Ore struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   OreSpec   `json:"spec"`
	Status OreStatus `json:"status,omitempty"`
}

// OreSpec is what is wanted.
type OreSpec struct {
	Metal string `json:"metal"`
}

// OreStatus is what is there.
type OreStatus struct {
	Smelted bool `json:"smelted"`
}

// OreList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type OreList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Ore `json:"items"`
}

// Slag is what is left.
//
// +genclient
// +genclient:noVerbs
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Slag struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec SlagSpec `json:"spec"`
}

// SlagSpec is what is wanted.
type SlagSpec struct {
	Weight int32 `json:"weight"`
}

// SlagList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type SlagList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Slag `json:"items"`
}
