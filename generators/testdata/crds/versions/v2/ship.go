package v2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/generators/testdata/crds/versions/v1"
)

// Ship is not ready.
//
// +kubebuilder:skipversion
type Ship struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Tug is defined by another version.
//
// +kubebuilder:unservedversion
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Tug v1.Tug
