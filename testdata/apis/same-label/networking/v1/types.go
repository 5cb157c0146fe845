package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Tunnel connects two networks.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Tunnel struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   TunnelSpec   `json:"spec"`
	Status TunnelStatus `json:"status,omitempty"`
}

// TunnelSpec is what is wanted.
type TunnelSpec struct {
	Peer string `json:"peer"`
}

// TunnelStatus is what is there.
type TunnelStatus struct {
	Up bool `json:"up"`
}

// TunnelList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type TunnelList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Tunnel `json:"items"`
}
