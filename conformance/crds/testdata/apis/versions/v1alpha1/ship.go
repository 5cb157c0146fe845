package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Ship is old.
//
// +kubebuilder:object:root=true
// +kubebuilder:unservedversion
// +kubebuilder:deprecatedversion
// +kubebuilder:resource:path=ships,scope=Cluster
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
