package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type (
	// CircleList is a page of them.
	//
	// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
	CircleList struct {
		metav1.TypeMeta `json:",inline"`
		metav1.ListMeta `json:"metadata,omitempty"`

		Items []Circle `json:"items"`
	}

	// SquareList is a page of them.
	//
	// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
	SquareList struct {
		metav1.TypeMeta `json:",inline"`
		metav1.ListMeta `json:"metadata,omitempty"`

		Items []Square `json:"items"`
	}
)
