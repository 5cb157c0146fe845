package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Cache is named as a package.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Cache struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   CacheSpec   `json:"spec"`
	Status CacheStatus `json:"status,omitempty"`
}

// CacheSpec is what is wanted.
type CacheSpec struct {
	Text string `json:"text"`
}

// CacheStatus is what is there.
type CacheStatus struct {
	Seen bool `json:"seen"`
}

// CacheList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type CacheList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Cache `json:"items"`
}

// Context is named as a package.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Context struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ContextSpec   `json:"spec"`
	Status ContextStatus `json:"status,omitempty"`
}

// ContextSpec is what is wanted.
type ContextSpec struct {
	Text string `json:"text"`
}

// ContextStatus is what is there.
type ContextStatus struct {
	Seen bool `json:"seen"`
}

// ContextList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ContextList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Context `json:"items"`
}

// Rest is named as a package.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Rest struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RestSpec   `json:"spec"`
	Status RestStatus `json:"status,omitempty"`
}

// RestSpec is what is wanted.
type RestSpec struct {
	Text string `json:"text"`
}

// RestStatus is what is there.
type RestStatus struct {
	Seen bool `json:"seen"`
}

// RestList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RestList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Rest `json:"items"`
}

// Scheme is named as a package.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Scheme struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SchemeSpec   `json:"spec"`
	Status SchemeStatus `json:"status,omitempty"`
}

// SchemeSpec is what is wanted.
type SchemeSpec struct {
	Text string `json:"text"`
}

// SchemeStatus is what is there.
type SchemeStatus struct {
	Seen bool `json:"seen"`
}

// SchemeList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type SchemeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Scheme `json:"items"`
}

// Time is named as a package.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Time struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   TimeSpec   `json:"spec"`
	Status TimeStatus `json:"status,omitempty"`
}

// TimeSpec is what is wanted.
type TimeSpec struct {
	Text string `json:"text"`
}

// TimeStatus is what is there.
type TimeStatus struct {
	Seen bool `json:"seen"`
}

// TimeList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type TimeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Time `json:"items"`
}

// Watch is named as a package.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Watch struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WatchSpec   `json:"spec"`
	Status WatchStatus `json:"status,omitempty"`
}

// WatchSpec is what is wanted.
type WatchSpec struct {
	Text string `json:"text"`
}

// WatchStatus is what is there.
type WatchStatus struct {
	Seen bool `json:"seen"`
}

// WatchList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WatchList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Watch `json:"items"`
}
