package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Rule allows or forbids.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Rule struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RuleSpec `json:"spec"`
}

// RuleSpec is what is wanted.
type RuleSpec struct {
	Allow bool `json:"allow"`
}

// RuleList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RuleList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Rule `json:"items"`
}
