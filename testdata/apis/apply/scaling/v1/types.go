package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Scale is what the scale subresource takes and gives.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Scale struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ScaleSpec `json:"spec,omitempty"`
}

// ScaleSpec is what is wanted.
type ScaleSpec struct {
	Rows int32 `json:"rows"`
}
