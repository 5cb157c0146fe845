package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Func is named as a keyword.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Func struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FuncSpec   `json:"spec"`
	Status FuncStatus `json:"status,omitempty"`
}

// FuncSpec is what is wanted.
type FuncSpec struct {
	Text string `json:"text"`
}

// FuncStatus is what is there.
type FuncStatus struct {
	Seen bool `json:"seen"`
}

// FuncList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type FuncList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Func `json:"items"`
}

// Interface is named as a keyword.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Interface struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   InterfaceSpec   `json:"spec"`
	Status InterfaceStatus `json:"status,omitempty"`
}

// InterfaceSpec is what is wanted.
type InterfaceSpec struct {
	Text string `json:"text"`
}

// InterfaceStatus is what is there.
type InterfaceStatus struct {
	Seen bool `json:"seen"`
}

// InterfaceList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type InterfaceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Interface `json:"items"`
}

// Map is named as a keyword.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Map struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   MapSpec   `json:"spec"`
	Status MapStatus `json:"status,omitempty"`
}

// MapSpec is what is wanted.
type MapSpec struct {
	Text string `json:"text"`
}

// MapStatus is what is there.
type MapStatus struct {
	Seen bool `json:"seen"`
}

// MapList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type MapList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Map `json:"items"`
}

// Range is named as a keyword.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Range struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RangeSpec   `json:"spec"`
	Status RangeStatus `json:"status,omitempty"`
}

// RangeSpec is what is wanted.
type RangeSpec struct {
	Text string `json:"text"`
}

// RangeStatus is what is there.
type RangeStatus struct {
	Seen bool `json:"seen"`
}

// RangeList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RangeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Range `json:"items"`
}

// Type is named as a keyword.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Type struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   TypeSpec   `json:"spec"`
	Status TypeStatus `json:"status,omitempty"`
}

// TypeSpec is what is wanted.
type TypeSpec struct {
	Text string `json:"text"`
}

// TypeStatus is what is there.
type TypeStatus struct {
	Seen bool `json:"seen"`
}

// TypeList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type TypeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Type `json:"items"`
}
