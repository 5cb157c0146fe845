package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Pump moves water, and can do more than the usual verbs.
//
// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=Scale,result=Scale
// +genclient:method=Prime,verb=create,subresource=priming,input=Priming,result=Priming
// +genclient:method=Tune,verb=patch,subresource=tuning,result=Pump
// +genclient:method=Find,verb=get
// +genclient:method=Replace,verb=update
// +genclient:method=Install,verb=create
// +genclient:method=Survey,verb=list
// +genclient:method=Adjust,verb=patch
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Pump struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PumpSpec   `json:"spec"`
	Status PumpStatus `json:"status,omitempty"`
}

// PumpSpec is what is wanted.
type PumpSpec struct {
	Litres int64 `json:"litres"`
}

// PumpStatus is what is there.
type PumpStatus struct {
	Running bool `json:"running"`
}

// PumpList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type PumpList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Pump `json:"items"`
}

// Scale is what the scale subresource takes and gives.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Scale struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Replicas int32 `json:"replicas"`
}

// Priming is what a pump is primed with.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Priming struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Litres int64 `json:"litres"`
}
