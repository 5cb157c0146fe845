// +groupName=shapes.example.com
// +versionName=v1

// Package v1 has types of all shapes.
package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/generators/testdata/crds/shapes/shared"
)

// Tower has fields of all shapes.
//
// +kubebuilder:resource:path=towers
type Tower struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              TowerSpec `json:"spec"`
}

// TowerSpec embeds others.
type TowerSpec struct {
	shared.Meta `json:",inline"`
	Base        `json:",inline"`
	*Pointed    `json:",inline"`
	Named       `json:"named"`

	Plain  shared.Plain            `json:"plain,omitempty"`
	Plains map[string]shared.Plain `json:"plains,omitempty"`

	// Reference is described here, not there.
	Reference shared.Reference        `json:"reference,omitempty"`
	Pointer   *shared.Reference       `json:"pointer,omitempty"`
	Defined   Defined                 `json:"defined,omitempty"`
	Twice     **string                `json:"twice,omitempty"`
	Marshaled shared.Marshaled        `json:"marshaled,omitempty"`
	Level     shared.Level            `json:"level,omitempty"`
	Depth     *shared.Depth           `json:"depth,omitempty"`
	ByLevel   map[shared.Level]string `json:"byLevel,omitempty"`

	Int    int      `json:"int,omitempty"`
	Int32  int32    `json:"int32,omitempty"`
	Int64  int64    `json:"int64,omitempty"`
	Uint8  uint8    `json:"uint8,omitempty"`
	Rune   rune     `json:"rune,omitempty"`
	Bool   bool     `json:"bool,omitempty"`
	Bytes  []byte   `json:"bytes,omitempty"`
	Hash   [4]byte  `json:"hash,omitempty"`
	Matrix [][]byte `json:"matrix,omitempty"`

	Quoted int64 `json:"quoted,string,omitempty"`

	Time     metav1.Time           `json:"time,omitempty"`
	Duration metav1.Duration       `json:"duration,omitempty"`
	Quantity resource.Quantity     `json:"quantity,omitempty"`
	UID      types.UID             `json:"uid,omitempty"`
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	Template Template              `json:"template,omitempty"`
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

// Defined has the fields of another type.
//
// +structType=granular
type Defined shared.Reference

// Template is an object within an object.
type Template struct {
	// Metadata of the objects.
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
