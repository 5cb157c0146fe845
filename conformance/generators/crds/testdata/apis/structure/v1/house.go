// +groupName=structure.example.com
// +versionName=v1

// Package v1 has types of all shapes.
package v1

import (
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/conformance/generators/crds/testdata/apis/structure/shared"
)

// House has fields of all shapes.
//
// +kubebuilder:resource:path=houses
type House struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              HouseSpec `json:"spec"`
	// Status describes the house.
	//
	// +optional
	Status *HouseStatus `json:"status"`
}

// HouseList is a list.
type HouseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []House `json:"items"`
}

// HouseSpec embeds others.
type HouseSpec struct {
	shared.Meta `json:",inline"`
	Base        `json:",inline"`
	*Pointed    `json:",inline"`
	Named       `json:"named"`
	// Rooms are inside.
	Rooms []Room `json:"rooms,omitempty"`

	Plain  shared.Plain            `json:"plain,omitempty"`
	Plains map[string]shared.Plain `json:"plains,omitempty"`
	// Base is repeated.
	Again Repeated `json:"again,omitempty"`

	// Owner hides the field of Meta.
	Reference shared.Reference        `json:"reference,omitempty"`
	Pointer   *shared.Reference       `json:"pointer,omitempty"`
	Names     shared.Names            `json:"names,omitempty"`
	Table     shared.Table            `json:"table,omitempty"`
	Alias     Alias                   `json:"alias,omitempty"`
	AliasText AliasText               `json:"aliasText,omitempty"`
	Defined   Defined                 `json:"defined,omitempty"`
	Twice     **string                `json:"twice,omitempty"`
	Marshaled shared.Marshaled        `json:"marshaled,omitempty"`
	Clear     shared.Transparent      `json:"clear,omitempty"`
	Level     shared.Level            `json:"level,omitempty"`
	Depth     *shared.Depth           `json:"depth,omitempty"`
	ByLevel   map[shared.Level]string `json:"byLevel,omitempty"`

	Int    int      `json:"int,omitempty"`
	Int8   int8     `json:"int8,omitempty"`
	Int16  int16    `json:"int16,omitempty"`
	Int32  int32    `json:"int32,omitempty"`
	Int64  int64    `json:"int64,omitempty"`
	Uint   uint     `json:"uint,omitempty"`
	Uint8  uint8    `json:"uint8,omitempty"`
	U16    uint16   `json:"u16,omitempty"`
	U32    uint32   `json:"u32,omitempty"`
	U64    uint64   `json:"u64,omitempty"`
	Byte   byte     `json:"byte,omitempty"`
	Rune   rune     `json:"rune,omitempty"`
	Bool   bool     `json:"bool,omitempty"`
	Runes  []rune   `json:"runes,omitempty"`
	Bytes  []byte   `json:"bytes,omitempty"`
	Uint8s []uint8  `json:"uint8s,omitempty"`
	Hash   [4]byte  `json:"hash,omitempty"`
	Matrix [][]byte `json:"matrix,omitempty"`

	Quoted int64 `json:"quoted,string,omitempty"`

	Time      metav1.Time                 `json:"time,omitempty"`
	TimeP     *metav1.Time                `json:"timeP,omitempty"`
	MicroTime metav1.MicroTime            `json:"microTime,omitempty"`
	Duration  metav1.Duration             `json:"duration,omitempty"`
	Quantity  resource.Quantity           `json:"quantity,omitempty"`
	UID       types.UID                   `json:"uid,omitempty"`
	Selector  *metav1.LabelSelector       `json:"selector,omitempty"`
	JSON      apiextensionsv1.JSON        `json:"json,omitempty"`
	Fields    metav1.FieldsV1             `json:"fields,omitempty"`
	Object    unstructured.Unstructured   `json:"object,omitempty"`
	Protocol  corev1.Protocol             `json:"protocol,omitempty"`
	Env       []corev1.EnvVar             `json:"env,omitempty"`
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	Limits    corev1.ResourceList         `json:"limits,omitempty"`
	// Ref is described here, not there.
	Ref corev1.ObjectReference `json:"ref,omitempty"`
	// +structType=atomic
	Marked corev1.LocalObjectReference `json:"marked,omitempty"`
	GVK    metav1.GroupVersionKind     `json:"gvk,omitempty"`
	RFC    metav1.GroupResource        `json:"rfc,omitempty"`
}

// Base is embedded.
//
// +kubebuilder:validation:XValidation:rule="self.height > 0 || !has(self.height)"
type Base struct {
	Height int32 `json:"height,omitempty"`
	Deeper `json:",inline"`
}

// Deeper is embedded twice.
type Deeper struct {
	// +kubebuilder:validation:Enum=flat;steep
	Roof string `json:"roof"`
}

// Pointed is embedded by its pointer.
type Pointed struct {
	Needle string `json:"needle,omitempty"`
}

// Named is a field, though it is embedded.
type Named struct {
	Thing string `json:"thing,omitempty"`
}

// Alias is another name.
type Alias = shared.Reference

// AliasText is another name of a string.
type AliasText = string

// Defined has the fields of another type.
//
// +structType=granular
type Defined shared.Reference

// Room is a part.
type Room struct {
	// Area is in square metres.
	Area resource.Quantity `json:"area"`
	Door *Door             `json:"door,omitempty"`
}

type (
	// Door is declared in a group.
	Door struct {
		Key Key `json:"key,omitempty"`
	}
	// Key opens it.
	// +kubebuilder:validation:MaxLength=10
	Key string
)

// HouseStatus has conditions.
type HouseStatus struct {
	// +listType=map
	// +listMapKey=type
	// +patchStrategy=merge
	// +patchMergeKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
	Pods       corev1.PodStatus   `json:"pods,omitempty"`
}

// Repeated has a field twice.
type Repeated struct {
	Inlined `json:",inline"`
	Ref     *corev1.SecretKeySelector `json:"ref,omitempty"`
}

// Inlined is hidden by Repeated.
type Inlined struct {
	Ref *corev1.SecretKeySelector `json:"ref,omitempty"`
}
