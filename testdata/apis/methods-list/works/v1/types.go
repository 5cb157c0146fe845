package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Gauge keeps a log of what it read.
//
// +genclient
// +genclient:method=ListReadings,verb=list,subresource=readings,result=Reading
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Gauge struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GaugeSpec `json:"spec"`
}

// GaugeSpec is what is wanted.
type GaugeSpec struct {
	Unit string `json:"unit"`
}

// GaugeList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type GaugeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Gauge `json:"items"`
}

// Reading is one line of a gauge's log.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Reading struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Pressure int64 `json:"pressure"`
}

// ReadingList is a gauge's log.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ReadingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Reading `json:"items"`
}
