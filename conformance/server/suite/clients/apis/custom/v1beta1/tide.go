package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +genclient:noStatus
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Tide is the older version.
type Tide struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec *TideSpec `json:"spec,omitempty"`
}

// TideSpec is the desired state.
type TideSpec struct {
	Phase  *string `json:"phase,omitempty"`
	Height *int64  `json:"height,omitempty"`
	Old    *string `json:"old,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// TideList is a list of tides.
type TideList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []Tide `json:"items"`
}
