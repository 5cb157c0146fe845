package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Order is what the store ordered.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Order struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec OrderSpec `json:"spec"`
}

// OrderSpec is what is wanted.
type OrderSpec struct {
	Article string `json:"article"`
	Amount  int32  `json:"amount"`
}

// OrderList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type OrderList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Order `json:"items"`
}
