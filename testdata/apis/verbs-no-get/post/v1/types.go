package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Postcard cannot be got by name.
//
// +genclient
// +genclient:skipVerbs=get
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Postcard struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PostcardSpec `json:"spec"`
}

// PostcardSpec is what is wanted.
type PostcardSpec struct {
	To string `json:"to"`
}

// PostcardList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type PostcardList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Postcard `json:"items"`
}
