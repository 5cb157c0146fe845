package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type (
	// Circle is round.
	//
	// +genclient
	// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
	Circle struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`

		Spec   CircleSpec `json:"spec"`
		Status Drawn      `json:"status,omitempty"`
	}

	// Square is not.
	//
	// +genclient
	// +genclient:nonNamespaced
	// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
	Square struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`

		Spec SquareSpec `json:"spec"`
	}
)
