package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Ladder is used for picking.
//
// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Ladder struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Rungs  int32        `json:"rungs"`
	Status LadderStatus `json:"status,omitempty"`
}

// LadderStatus is where it is.
type LadderStatus struct {
	Tree *metav1.OwnerReference `json:"tree,omitempty"`
}

// LadderList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type LadderList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Ladder `json:"items"`
}

// Blade is part of saws.
type Blade struct {
	Teeth int32  `json:"teeth"`
	Steel string `json:"steel,omitempty"`
}

// Crate holds fruit. It can be read only, but occurs in trees.
//
// +genclient
// +genclient:readonly
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Crate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Size int32 `json:"size"`
}

// CrateList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type CrateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Crate `json:"items"`
}
