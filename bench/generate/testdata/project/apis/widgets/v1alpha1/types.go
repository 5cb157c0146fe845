package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Widget is a number of equal workers under one name.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=wd,categories=all
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.workers,statuspath=.status.ready
// +kubebuilder:printcolumn:name=Ready,type=integer,JSONPath=`.status.ready`
// +kubebuilder:storageversion
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec"`
	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetSpec is what the user wants.
//
// +kubebuilder:validation:XValidation:rule="!has(self.paused) || !self.paused || self.workers == 0",message="a paused widget has no workers"
type WidgetSpec struct {
	// Deployment names the deployment that runs the workers.
	//
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Deployment string `json:"deployment"`
	// Workers is how many there should be.
	//
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=0
	// +optional
	Workers *int32 `json:"workers,omitempty"`
	// Paused stops all work.
	//
	// +optional
	Paused bool `json:"paused,omitempty"`
	// Policy says what happens to work of a worker that goes away.
	//
	// +kubebuilder:default=Retry
	Policy Policy `json:"policy,omitempty"`
	// Labels are those of the workers.
	//
	// +optional
	Labels map[string]string `json:"labels,omitempty"`
	// Windows are the times of day at which there are workers; always, if there are none.
	//
	// +listType=map
	// +listMapKey=name
	// +optional
	Windows []Window `json:"windows,omitempty"`
}

// Policy is a way to handle lost work.
//
// +kubebuilder:validation:Enum=Retry;Drop
type Policy string

// Window is a time of day.
type Window struct {
	// Name is unique in a widget.
	Name string `json:"name"`
	// After is the time since midnight at which it starts, and For how long it lasts.
	After metav1.Duration `json:"after"`
	For   metav1.Duration `json:"for"`
}

// WidgetStatus is what the controller saw last.
type WidgetStatus struct {
	// Ready is how many workers take work.
	Ready int32 `json:"ready"`
	// Conditions are the latest facts about the widget, one for each type.
	//
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// WidgetList is a list of widgets.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Widget `json:"items"`
}
