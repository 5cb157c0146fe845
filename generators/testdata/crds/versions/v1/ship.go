package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Ship is new.
//
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:resource:path=ships,scope=Cluster,shortName={sh,vessel},categories={all,fleet},singular=ship
// +kubebuilder:printcolumn:name="Length",type=integer,JSONPath=`.spec.length`,description="The length, in metres",format=int32,priority=1
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp
// +kubebuilder:selectablefield:JSONPath=`.spec.port`
// +kubebuilder:selectablefield:JSONPath=".spec.flag"
// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=https://example.com/1";"other=a=b",labels="team=fleet"
type Ship struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +required
	Spec   ShipSpec   `json:"spec"`
	Status ShipStatus `json:"status,omitempty"`
}

// ShipSpec is what the ship should be.
type ShipSpec struct {
	Length   int32  `json:"length,omitempty"`
	Replicas int32  `json:"replicas,omitempty"`
	Port     string `json:"port,omitempty"`
	Flag     string `json:"flag,omitempty"`
}

// ShipStatus is what the ship is.
type ShipStatus struct {
	Replicas int32  `json:"replicas,omitempty"`
	Selector string `json:"selector,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=""
// +kubebuilder:resource:scope=Namespaced
// +kubebuilder:storageversion

// Tug has a comment of markers above it.
type Tug struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              *ShipSpec   `json:"spec,omitempty"`
	Status            *ShipStatus `json:"status,omitempty"`
}
