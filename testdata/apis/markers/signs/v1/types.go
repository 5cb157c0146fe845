package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Arrow has its markers above its comment, after a blank line.

// +genclient
// +genclient:nonNamespaced
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Arrow points somewhere.
type Arrow struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ArrowSpec   `json:"spec"`
	Status ArrowStatus `json:"status,omitempty"`
}

// ArrowSpec is what is wanted.
type ArrowSpec struct {
	Text string `json:"text"`
}

// ArrowStatus is what is there.
type ArrowStatus struct {
	Lit bool `json:"lit"`
}

// ArrowList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ArrowList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Arrow `json:"items"`
}

// +genclient

// Board has one marker above its comment and the others in it.
//
// +genclient:noStatus
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Board struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BoardSpec   `json:"spec"`
	Status BoardStatus `json:"status,omitempty"`
}

// BoardSpec is what is wanted.
type BoardSpec struct {
	Text string `json:"text"`
}

// BoardStatus is what is there.
type BoardStatus struct {
	Lit bool `json:"lit"`
}

// BoardList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type BoardList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Board `json:"items"`
}

/*
Cross has a comment between a slash and a star.

+genclient
+genclient:onlyVerbs=get,list,watch
+k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
*/
type Cross struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   CrossSpec   `json:"spec"`
	Status CrossStatus `json:"status,omitempty"`
}

// CrossSpec is what is wanted.
type CrossSpec struct {
	Text string `json:"text"`
}

// CrossStatus is what is there.
type CrossStatus struct {
	Lit bool `json:"lit"`
}

// CrossList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type CrossList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Cross `json:"items"`
}

/*
+genclient
+k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
*/

// Dial has a block of markers above a comment of lines.
type Dial struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DialSpec   `json:"spec"`
	Status DialStatus `json:"status,omitempty"`
}

// DialSpec is what is wanted.
type DialSpec struct {
	Text string `json:"text"`
}

// DialStatus is what is there.
type DialStatus struct {
	Lit bool `json:"lit"`
}

// DialList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type DialList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Dial `json:"items"`
}
