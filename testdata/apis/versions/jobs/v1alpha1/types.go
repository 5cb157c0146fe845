package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Routine runs on a schedule.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Routine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RoutineSpec   `json:"spec"`
	Status RoutineStatus `json:"status,omitempty"`
}

// RoutineSpec is what is wanted.
type RoutineSpec struct {
	Cron string `json:"cron"`
}

// RoutineStatus is what is there.
type RoutineStatus struct {
	Runs int64 `json:"runs"`
}

// RoutineList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RoutineList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Routine `json:"items"`
}
