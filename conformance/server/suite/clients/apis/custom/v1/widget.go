package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s.io/api/autoscaling/v1.Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=k8s.io/api/autoscaling/v1.Scale,result=k8s.io/api/autoscaling/v1.Scale
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// Widget has a spec, a status subresource and a scale.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   *WidgetSpec   `json:"spec,omitempty"`
	Status *WidgetStatus `json:"status,omitempty"`
}

// WidgetSpec is the desired state.
type WidgetSpec struct {
	Size     *int64       `json:"size,omitempty"`
	Color    *string      `json:"color,omitempty"`
	Replicas *int32       `json:"replicas,omitempty"`
	Parts    []WidgetPart `json:"parts,omitempty"`
	Tags     []string     `json:"tags,omitempty"`
	Notes    []string     `json:"notes,omitempty"`
}

// WidgetPart is a part, identified by its name.
type WidgetPart struct {
	Name  string `json:"name"`
	Count *int64 `json:"count,omitempty"`
}

// WidgetStatus is the observed state.
type WidgetStatus struct {
	Phase    *string `json:"phase,omitempty"`
	Replicas *int32  `json:"replicas,omitempty"`
	Selector *string `json:"selector,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// WidgetList is a list of widgets.
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []Widget `json:"items"`
}
