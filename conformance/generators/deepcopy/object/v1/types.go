package v1

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

//+kubebuilder:object:root=true
//+kubebuilder:subresource:status

// Engine is a kind.
type Engine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   EngineSpec   `json:"spec,omitempty"`
	Status EngineStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// EngineList is a list of engines.
type EngineList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Engine `json:"items"`
}

// EngineSpec has fields of types of other packages.
type EngineSpec struct {
	Replicas  *int32                           `json:"replicas,omitempty"`
	Template  corev1.PodTemplateSpec           `json:"template"`
	Selector  *metav1.LabelSelector            `json:"selector,omitempty"`
	Env       []corev1.EnvVar                  `json:"env,omitempty"`
	Limits    corev1.ResourceList              `json:"limits,omitempty"`
	Size      resource.Quantity                `json:"size"`
	Most      *resource.Quantity               `json:"most,omitempty"`
	Port      intstr.IntOrString               `json:"port"`
	Ports     map[string]intstr.IntOrString    `json:"ports,omitempty"`
	Raw       *runtime.RawExtension            `json:"raw,omitempty"`
	Raws      []runtime.RawExtension           `json:"raws,omitempty"`
	Start     metav1.Time                      `json:"start"`
	Stop      *metav1.Time                     `json:"stop,omitempty"`
	Wait      metav1.Duration                  `json:"wait"`
	Names     map[string]types.NamespacedName  `json:"names,omitempty"`
	Requests  map[string]corev1.ResourceList   `json:"requests,omitempty"`
	Amounts   map[string]resource.Quantity     `json:"amounts,omitempty"`
	Selectors map[string]*metav1.LabelSelector `json:"selectors,omitempty"`
	Forms     Forms                            `json:"forms"`
}

// EngineStatus has conditions.
type EngineStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	Phase      Phase              `json:"phase,omitempty"`
}

// Phase is a text.
type Phase string

// Forms has values of many forms.
type Forms struct {
	Inline   `json:",inline"`
	Plain    Plain                        `json:"plain"`
	Plains   []Plain                      `json:"plains,omitempty"`
	PlainPtr *Plain                       `json:"plainPtr,omitempty"`
	ByPlain  map[string]Plain             `json:"byPlain,omitempty"`
	Deep     Deep                         `json:"deep"`
	Deeps    []Deep                       `json:"deeps,omitempty"`
	DeepPtr  *Deep                        `json:"deepPtr,omitempty"`
	DeepPtrs []*Deep                      `json:"deepPtrs,omitempty"`
	ByDeep   map[string]Deep              `json:"byDeep,omitempty"`
	ByPtr    map[string]*Deep             `json:"byPtr,omitempty"`
	Bytes    []byte                       `json:"bytes,omitempty"`
	Matrix   [][]int                      `json:"matrix,omitempty"`
	Texts    map[string][]string          `json:"texts,omitempty"`
	Maps     map[string]map[string]string `json:"maps,omitempty"`
	ListMaps []map[string][]Deep          `json:"listMaps,omitempty"`
	Named    Named                        `json:"named,omitempty"`
	NamedPtr *Named                       `json:"namedPtr,omitempty"`
	Nameds   []Named                      `json:"nameds,omitempty"`
	ByNamed  map[Phase]Named              `json:"byNamed,omitempty"`
	Table    Table                        `json:"table,omitempty"`
	TablePtr *Table                       `json:"tablePtr,omitempty"`
	Twice    **int                        `json:"twice,omitempty"`
	Unnamed  struct{ A, B int }           `json:"unnamed"`
	Hand     Hand                         `json:"hand"`
	Hands    []Hand                       `json:"hands,omitempty"`
	HandPtr  *Hand                        `json:"handPtr,omitempty"`
	ByHand   map[string]Hand              `json:"byHand,omitempty"`
	Into     Into                         `json:"into"`
	IntoPtr  *Into                        `json:"intoPtr,omitempty"`
	Self     *Forms                       `json:"self,omitempty"`
}

// Inline is embedded.
type Inline struct {
	Tags []string `json:"tags,omitempty"`
}

// Plain is a plain value.
type Plain struct {
	A int   `json:"a"`
	B Phase `json:"b"`
}

// Deep is not.
type Deep struct {
	Names []string `json:"names,omitempty"`
}

// Named is a slice.
type Named []Deep

// Table is a map.
type Table map[string][]Plain

// Excluded has no functions.
//
// +kubebuilder:object:generate=false
type Excluded struct {
	Names []string `json:"names,omitempty"`
}

// Hand has a DeepCopy that is written by hand.
type Hand struct {
	Names []string `json:"names,omitempty"`
}

// DeepCopy is written by hand.
func (in *Hand) DeepCopy() *Hand {
	if in == nil {
		return nil
	}
	return &Hand{Names: slices.Clone(in.Names)}
}

// Into has a DeepCopyInto that is written by hand.
type Into struct {
	Names []string `json:"names,omitempty"`
}

// DeepCopyInto is written by hand.
func (in *Into) DeepCopyInto(out *Into) { out.Names = slices.Clone(in.Names) }
