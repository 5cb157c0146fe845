package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Exemption is from a rule.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Exemption struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ExemptionSpec `json:"spec"`
}

// ExemptionSpec is what is wanted.
type ExemptionSpec struct {
	Rule string `json:"rule"`
}

// ExemptionList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ExemptionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Exemption `json:"items"`
}
