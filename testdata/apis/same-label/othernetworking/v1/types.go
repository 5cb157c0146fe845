package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Bridge joins two segments.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Bridge struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BridgeSpec `json:"spec"`
}

// BridgeSpec is what is wanted.
type BridgeSpec struct {
	Segments []string `json:"segments"`
}

// BridgeList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type BridgeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Bridge `json:"items"`
}
