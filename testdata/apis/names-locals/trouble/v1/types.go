package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Doc is named as something generated.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Doc struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DocSpec   `json:"spec"`
	Status DocStatus `json:"status,omitempty"`
}

// DocSpec is what is wanted.
type DocSpec struct {
	Text string `json:"text"`
}

// DocStatus is what is there.
type DocStatus struct {
	Seen bool `json:"seen"`
}

// DocList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type DocList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Doc `json:"items"`
}

// List is named as something generated.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type List struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ListSpec   `json:"spec"`
	Status ListStatus `json:"status,omitempty"`
}

// ListSpec is what is wanted.
type ListSpec struct {
	Text string `json:"text"`
}

// ListStatus is what is there.
type ListStatus struct {
	Seen bool `json:"seen"`
}

// ListList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ListList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []List `json:"items"`
}

// Name is named as something generated.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Name struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   NameSpec   `json:"spec"`
	Status NameStatus `json:"status,omitempty"`
}

// NameSpec is what is wanted.
type NameSpec struct {
	Text string `json:"text"`
}

// NameStatus is what is there.
type NameStatus struct {
	Seen bool `json:"seen"`
}

// NameList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type NameList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Name `json:"items"`
}

// Nil is named as something generated.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Nil struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   NilSpec   `json:"spec"`
	Status NilStatus `json:"status,omitempty"`
}

// NilSpec is what is wanted.
type NilSpec struct {
	Text string `json:"text"`
}

// NilStatus is what is there.
type NilStatus struct {
	Seen bool `json:"seen"`
}

// NilList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type NilList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Nil `json:"items"`
}

// Result is named as something generated.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Result struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ResultSpec   `json:"spec"`
	Status ResultStatus `json:"status,omitempty"`
}

// ResultSpec is what is wanted.
type ResultSpec struct {
	Text string `json:"text"`
}

// ResultStatus is what is there.
type ResultStatus struct {
	Seen bool `json:"seen"`
}

// ResultList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ResultList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Result `json:"items"`
}

// String is named as something generated.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type String struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   StringSpec   `json:"spec"`
	Status StringStatus `json:"status,omitempty"`
}

// StringSpec is what is wanted.
type StringSpec struct {
	Text string `json:"text"`
}

// StringStatus is what is there.
type StringStatus struct {
	Seen bool `json:"seen"`
}

// StringList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type StringList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []String `json:"items"`
}
