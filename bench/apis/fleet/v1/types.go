package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Machine is a number of equal workers under one name.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Machine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   MachineSpec   `json:"spec"`
	Status MachineStatus `json:"status,omitempty"`
}

// MachineSpec is what the user wants.
type MachineSpec struct {
	// Replicas is how many workers there should be; one if it is not set.
	Replicas *int32 `json:"replicas,omitempty"`
	// Image is what the workers run.
	Image string `json:"image"`
	// Paused stops the controller from changing anything.
	Paused bool `json:"paused,omitempty"`
	// Selector chooses the nodes that workers may run on.
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	// Resources are what one worker may use.
	Resources map[string]resource.Quantity `json:"resources,omitempty"`
	// Env is the environment of a worker.
	Env []EnvVar `json:"env,omitempty"`
	// Port is where a worker listens, by number or name.
	Port intstr.IntOrString `json:"port"`
	// Timeout is how long a worker may take to start.
	Timeout metav1.Duration `json:"timeout"`
}

// EnvVar is a variable of the environment.
type EnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// MachineStatus is what the controller saw last.
type MachineStatus struct {
	// ObservedGeneration is the generation that the controller has acted on.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Phase sums up the conditions in a word.
	Phase string `json:"phase,omitempty"`
	// Ready is how many workers take work.
	Ready int32 `json:"ready"`
	// Conditions are the latest facts about the machine, one for each type.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// MachineList is a list of machines.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type MachineList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []Machine `json:"items"`
}
