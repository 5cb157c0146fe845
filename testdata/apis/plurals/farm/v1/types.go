package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Sheep is the same in the plural.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Sheep struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec SheepSpec `json:"spec"`
}

// SheepSpec is what is wanted.
type SheepSpec struct {
	Wool bool `json:"wool"`
}

// SheepList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type SheepList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Sheep `json:"items"`
}

// Goose has an irregular plural.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Goose struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GooseSpec   `json:"spec"`
	Status GooseStatus `json:"status,omitempty"`
}

// GooseSpec is what is wanted.
type GooseSpec struct {
	Loud bool `json:"loud"`
}

// GooseStatus is what is there.
type GooseStatus struct {
	Eggs int32 `json:"eggs"`
}

// GooseList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type GooseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Goose `json:"items"`
}

// Mouse has a resource name that is not its plural.
//
// +genclient
// +resourceName=mice
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Mouse struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec MouseSpec `json:"spec"`
}

// MouseSpec is what is wanted.
type MouseSpec struct {
	Holes int32 `json:"holes"`
}

// MouseList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type MouseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Mouse `json:"items"`
}

// Policy ends in y.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Policy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PolicySpec `json:"spec"`
}

// PolicySpec is what is wanted.
type PolicySpec struct {
	Text string `json:"text"`
}

// PolicyList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type PolicyList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Policy `json:"items"`
}

// Fox ends in x.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Fox struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FoxSpec `json:"spec"`
}

// FoxSpec is what is wanted.
type FoxSpec struct {
	Den string `json:"den"`
}

// FoxList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type FoxList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Fox `json:"items"`
}
