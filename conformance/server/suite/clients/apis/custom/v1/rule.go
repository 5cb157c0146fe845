package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Rule has fields that CEL rules validate.
type Rule struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   *RuleSpec   `json:"spec,omitempty"`
	Status *RuleStatus `json:"status,omitempty"`
}

// RuleSpec is the desired state.
type RuleSpec struct {
	Min      *int64           `json:"min,omitempty"`
	Max      *int64           `json:"max,omitempty"`
	Key      *string          `json:"key,omitempty"`
	First    *int64           `json:"first,omitempty"`
	Names    []string         `json:"names,omitempty"`
	URL      *string          `json:"url,omitempty"`
	Quantity *string          `json:"quantity,omitempty"`
	Table    map[string]int64 `json:"table,omitempty"`
}

// RuleStatus is the observed state.
type RuleStatus struct {
	Count *int64 `json:"count,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// RuleList is a list of rules.
type RuleList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []Rule `json:"items"`
}
