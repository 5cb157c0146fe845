package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Linux makes the name of a file special.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Linux struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec LinuxSpec `json:"spec"`
}

// LinuxSpec is what is wanted.
type LinuxSpec struct {
	Text string `json:"text"`
}

// LinuxList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type LinuxList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Linux `json:"items"`
}

// Test makes the name of a file special.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Test struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec TestSpec `json:"spec"`
}

// TestSpec is what is wanted.
type TestSpec struct {
	Text string `json:"text"`
}

// TestList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type TestList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Test `json:"items"`
}

// Windows makes the name of a file special.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Windows struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WindowsSpec `json:"spec"`
}

// WindowsSpec is what is wanted.
type WindowsSpec struct {
	Text string `json:"text"`
}

// WindowsList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WindowsList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Windows `json:"items"`
}
