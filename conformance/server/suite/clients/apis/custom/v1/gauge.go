package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Gauge has fields with every kind of validation.
type Gauge struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   *GaugeSpec   `json:"spec,omitempty"`
	Status *GaugeStatus `json:"status,omitempty"`
}

// GaugeSpec is the desired state.
type GaugeSpec struct {
	Unit   *string               `json:"unit,omitempty"`
	Code   *string               `json:"code,omitempty"`
	Level  *int64                `json:"level,omitempty"`
	Step   *float64              `json:"step,omitempty"`
	When   *string               `json:"when,omitempty"`
	Port   *intstr.IntOrString   `json:"port,omitempty"`
	Labels map[string]string     `json:"labels,omitempty"`
	List   []int64               `json:"list,omitempty"`
	Tags   []string              `json:"tags,omitempty"`
	Parts  []GaugePart           `json:"parts,omitempty"`
	Free   *runtime.RawExtension `json:"free,omitempty"`
	Inner  *runtime.RawExtension `json:"inner,omitempty"`
	Hint   *string               `json:"hint,omitempty"`
	Mode   *string               `json:"mode,omitempty"`
	Deep   *GaugeDeep            `json:"deep,omitempty"`
	Choice *GaugeChoice          `json:"choice,omitempty"`
}

// GaugePart is a part, identified by its name.
type GaugePart struct {
	Name string  `json:"name"`
	Mode *string `json:"mode,omitempty"`
}

// GaugeDeep has a default.
type GaugeDeep struct {
	Size *int64  `json:"size,omitempty"`
	Note *string `json:"note,omitempty"`
}

// GaugeChoice is one of two alternatives.
type GaugeChoice struct {
	A *string `json:"a,omitempty"`
	B *string `json:"b,omitempty"`
}

// GaugeStatus is the observed state.
type GaugeStatus struct {
	Seen  *int64  `json:"seen,omitempty"`
	State *string `json:"state,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// GaugeList is a list of gauges.
type GaugeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []Gauge `json:"items"`
}
