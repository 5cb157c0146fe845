package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Generated is made by a machine.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Generated struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GeneratedSpec `json:"spec"`
}

// GeneratedSpec is what is wanted.
type GeneratedSpec struct {
	Text string `json:"text"`
}

// GeneratedList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type GeneratedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Generated `json:"items"`
}

// Written is made by hand.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Written struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WrittenSpec `json:"spec"`
}

// WrittenSpec is what is wanted.
type WrittenSpec struct {
	Text string `json:"text"`
}

// WrittenList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WrittenList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Written `json:"items"`
}
