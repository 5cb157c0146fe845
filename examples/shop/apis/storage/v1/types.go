package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Database runs a number of replicas.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:resource:path=databases
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=Replicas,type=integer,JSONPath=.spec.replicas
// +kubebuilder:printcolumn:name=Ready,type=string,JSONPath=.status.conditions[?(@.type=="Ready")].status
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is written by users.
	Spec DatabaseSpec `json:"spec"`
	// Status is written by the controller.
	//
	// +optional
	Status DatabaseStatus `json:"status,omitempty"`
}

// DatabaseSpec is the requested state.
type DatabaseSpec struct {
	// Replicas is the number of replicas to run.
	//
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Replicas int32 `json:"replicas"`
}

// DatabaseStatus is the observed state.
type DatabaseStatus struct {
	// Replicas is the number of replicas that run.
	//
	// +optional
	Replicas int32 `json:"replicas,omitempty"`
	// Conditions are the conditions, by their type.
	//
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// ConditionReady is the type of the condition that all replicas run.
const ConditionReady = "Ready"

// DatabaseList is a list of databases.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type DatabaseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Database `json:"items"`
}
