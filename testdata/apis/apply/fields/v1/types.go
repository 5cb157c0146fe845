package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Field is sown.
//
// +genclient
// +genclient:method=GetYield,verb=get,subresource=harvest,result=Yield
// +genclient:method=ApplyYield,verb=apply,subresource=harvest,input=Yield,result=Yield
// +genclient:method=ApplyScale,verb=apply,subresource=scale,input=github.com/listwatch/listwatch/testdata/apis/apply/scaling/v1.Scale,result=github.com/listwatch/listwatch/testdata/apis/apply/scaling/v1.Scale
// +genclient:method=Plough,verb=apply
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Field struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FieldSpec   `json:"spec"`
	Status FieldStatus `json:"status,omitempty"`
}

// FieldSpec is what is wanted.
type FieldSpec struct {
	Crop string `json:"crop"`
	Rows int32  `json:"rows"`
}

// FieldStatus is what is there.
type FieldStatus struct {
	Sown bool `json:"sown"`
}

// FieldList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type FieldList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Field `json:"items"`
}

// Yield is what the yield subresource takes and gives.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Yield struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Tons int64 `json:"tons"`
}

// Fence is around a field; it has no status.
//
// +genclient
// +genclient:nonNamespaced
// +genclient:method=Mend,verb=apply
// +genclient:method=Paint,verb=apply,subresource=paint
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Fence struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FenceSpec `json:"spec"`
}

// FenceSpec is what is wanted.
type FenceSpec struct {
	Posts int32 `json:"posts"`
}

// FenceList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type FenceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Fence `json:"items"`
}

// Crow can be applied and got only.
//
// +genclient
// +genclient:onlyVerbs=apply,get
// +genclient:method=Perch,verb=update,subresource=perch
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Crow struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec CrowSpec `json:"spec"`
}

// CrowSpec is what is wanted.
type CrowSpec struct {
	Colour string `json:"colour"`
}
