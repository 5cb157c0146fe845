package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Turbine turns.
//
// +genclient
// +genclient:nonNamespaced
// +genclient:method=GetScale,verb=get,subresource=scale,result=github.com/listwatch/listwatch/testdata/apis/methods-elsewhere/scaling/v1.Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=github.com/listwatch/listwatch/testdata/apis/methods-elsewhere/scaling/v1.Scale,result=github.com/listwatch/listwatch/testdata/apis/methods-elsewhere/scaling/v1.Scale
// +genclient:method=Find,verb=get
// +genclient:method=Survey,verb=list
// +genclient:method=Install,verb=create
// +genclient:method=Spin,verb=create,subresource=spin
// +genclient:method=Replace,verb=update
// +genclient:method=Adjust,verb=patch
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Turbine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec TurbineSpec `json:"spec"`
}

// TurbineSpec is what is wanted.
type TurbineSpec struct {
	Blades int32 `json:"blades"`
}

// TurbineList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type TurbineList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Turbine `json:"items"`
}

// Valve opens and shuts.
//
// +genclient
// +genclient:method=CreateScale,verb=create,subresource=scale,input=github.com/listwatch/listwatch/testdata/apis/methods-elsewhere/scaling/v1.Scale,result=github.com/listwatch/listwatch/testdata/apis/methods-elsewhere/scaling/v1.Scale
// +genclient:method=Measure,verb=create,input=github.com/listwatch/listwatch/testdata/apis/methods-elsewhere/scaling/v1.Scale,result=github.com/listwatch/listwatch/testdata/apis/methods-elsewhere/scaling/v1.Scale
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Valve struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ValveSpec `json:"spec"`
}

// ValveSpec is what is wanted.
type ValveSpec struct {
	Open bool `json:"open"`
}

// ValveList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ValveList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Valve `json:"items"`
}
