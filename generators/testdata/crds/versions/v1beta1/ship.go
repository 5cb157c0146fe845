package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Ship is almost new.
//
// +kubebuilder:object:root=true
// +kubebuilder:deprecatedversion:warning="use v1, please"
// +kubebuilder:resource:path=ships,scope=Cluster,shortName=sh;vessel,categories=all;fleet,singular=ship
// +kubebuilder:printcolumn:name="Length",type=integer,JSONPath=`.spec.length`
type Ship struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ShipSpec `json:"spec,omitempty"`
}

type ShipSpec struct {
	Length int32 `json:"length,omitempty"`
}
