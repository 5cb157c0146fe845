package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Widget is a number of equal workers under one name.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec"`
	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetSpec is what the user wants.
type WidgetSpec struct {
	// Deployment names the deployment that runs the workers.
	Deployment string `json:"deployment"`
	// Workers is how many there should be; one if it is not set.
	Workers *int32 `json:"workers,omitempty"`
}

// WidgetStatus is what the controller saw last.
type WidgetStatus struct {
	// Ready is how many workers take work.
	Ready int32 `json:"ready"`
	// Conditions are the latest facts about the widget, one for each type.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// WidgetList is a list of widgets.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []Widget `json:"items"`
}
