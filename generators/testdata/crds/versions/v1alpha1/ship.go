package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// controller-gen takes the names from the versions in random order, so all must have the same.

// Ship is old.
//
// +kubebuilder:object:root=true
// +kubebuilder:unservedversion
// +kubebuilder:deprecatedversion
// +kubebuilder:resource:path=ships,scope=Cluster,shortName=sh;vessel,categories=all;fleet,singular=ship
type Ship struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Length            int32 `json:"length,omitempty"`
}

// Raft exists here only.
//
// +kubebuilder:deprecatedversion:warning="versions.example.com/v1alpha1 Raft is deprecated"
type Raft struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
