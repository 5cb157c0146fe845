package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Tide has more than one version.
type Tide struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   *TideSpec   `json:"spec,omitempty"`
	Status *TideStatus `json:"status,omitempty"`
}

// TideSpec is the desired state.
type TideSpec struct {
	Phase  *string  `json:"phase,omitempty"`
	Height *int64   `json:"height,omitempty"`
	Since  *string  `json:"since,omitempty"`
	Calm   *bool    `json:"calm,omitempty"`
	Slope  *float64 `json:"slope,omitempty"`
}

// TideStatus is the observed state.
type TideStatus struct {
	Conditions []TideCondition `json:"conditions,omitempty"`
}

// TideCondition is a condition of a tide.
type TideCondition struct {
	Type   *string `json:"type,omitempty"`
	Status *string `json:"status,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// TideList is a list of tides.
type TideList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []Tide `json:"items"`
}
