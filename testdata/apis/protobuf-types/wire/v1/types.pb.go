package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Frame goes over the wire.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Frame struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FrameSpec   `json:"spec"`
	Status FrameStatus `json:"status,omitempty"`
}

// FrameSpec is what is wanted.
type FrameSpec struct {
	Size int32 `json:"size"`
}

// FrameStatus is what is there.
type FrameStatus struct {
	Sent bool `json:"sent"`
}

// FrameList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type FrameList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Frame `json:"items"`
}
