package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Optional is a value that may not be there.
type Optional[V comparable] struct {
	Value V    `json:"value"`
	Set   bool `json:"set"`
}

// Mint makes coins; all that it has is generic.
//
// +genclient
type Mint struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Optional[int32]  `json:"spec"`
	Status Optional[string] `json:"status,omitempty"`
}

// Page is one page of a list.
type Page[K any] struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []K `json:"items"`
}

// MintList is a page of them.
type MintList Page[Mint]
