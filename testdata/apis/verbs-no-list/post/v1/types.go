package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Letter cannot be listed.
//
// +genclient
// +genclient:skipVerbs=list
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Letter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec LetterSpec `json:"spec"`
}

// LetterSpec is what is wanted.
type LetterSpec struct {
	To string `json:"to"`
}

// LetterList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type LetterList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Letter `json:"items"`
}
