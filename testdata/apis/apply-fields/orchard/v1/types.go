package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	tools "github.com/listwatch/listwatch/testdata/apis/apply-fields/tools/v1"
)

// Tree bears fruit.
//
// +genclient
// +genclient:method=ApplyPruning,verb=apply,subresource=pruning,input=Pruning,result=Pruning
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Tree struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   TreeSpec   `json:"spec"`
	Status TreeStatus `json:"status,omitempty"`
}

// Height is in metres.
type Height int32

// Colours are names of colours.
type Colours []string

// Yields are weights by year.
type Yields map[string]int64

// Shade is another name for a string.
type Shade = string

// Shades is another name for a slice.
type Shades = []Branch

// TreeSpec is what is wanted.
type TreeSpec struct {
	// Plain values.
	Sort    string             `json:"sort"`
	Height  Height             `json:"height,omitempty"`
	Age     *int32             `json:"age,omitempty"`
	Shade   Shade              `json:"shade,omitempty"`
	Ripe    metav1.Time        `json:"ripe,omitempty"`
	Picked  *metav1.Time       `json:"picked,omitempty"`
	Port    intstr.IntOrString `json:"port,omitempty"`
	Data    []byte             `json:"data,omitempty"`
	Corners [4]int32           `json:"corners,omitempty"`

	// Lists and maps.
	Names    []string            `json:"names,omitempty"`
	Colours  Colours             `json:"colours,omitempty"`
	Yields   Yields              `json:"yields,omitempty"`
	Labels   map[string]string   `json:"labels,omitempty"`
	Groups   map[string][]string `json:"groups,omitempty"`
	Notes    *[]string           `json:"notes,omitempty"`
	Marks    *map[string]int64   `json:"marks,omitempty"`
	Heights  []Height            `json:"heights,omitempty"`
	Matrix   [][]int64           `json:"matrix,omitempty"`
	ByHeight map[string]*Height  `json:"byHeight,omitempty"`

	// Structs.
	Trunk      Branch                `json:"trunk"`
	Crown      *Branch               `json:"crown,omitempty"`
	Branches   []Branch              `json:"branches,omitempty"`
	Shades     Shades                `json:"shades,omitempty"`
	Twigs      *[]Branch             `json:"twigs,omitempty"`
	ByName     map[string]Branch     `json:"byName,omitempty"`
	Lists      map[string][]Branch   `json:"lists,omitempty"`
	Saw        tools.Blade           `json:"saw,omitempty"`
	Saws       []tools.Blade         `json:"saws,omitempty"`
	Crate      *tools.Crate          `json:"crate,omitempty"`
	Selector   *metav1.LabelSelector `json:"selector,omitempty"`
	Conditions []metav1.Condition    `json:"conditions,omitempty"`
	Raw        runtime.RawExtension  `json:"raw,omitempty"`
	Parent     *metav1.ObjectMeta    `json:"parent,omitempty"`

	// What is not mirrored.
	Hidden    string `json:"-"`
	Untagged  string
	ZZZ_Going string `json:"going,omitempty"`

	Common `json:",inline"`
	Soil   `json:"soil,omitempty"`
	*Wood  `json:"wood,omitempty"`
}

// Common is inlined.
type Common struct {
	Owner  string            `json:"owner,omitempty"`
	Tags   []string          `json:"tags,omitempty"`
	Extras map[string]string `json:"extras,omitempty"`
	Deeper `json:",inline"`
	// Names is hidden by the one of the spec.
	Names []string `json:"commonNames,omitempty"`
}

// Deeper is inlined in what is inlined.
type Deeper struct {
	Depth  *int64   `json:"depth,omitempty"`
	Leaves []Branch `json:"leaves,omitempty"`
	Root   *Branch  `json:"root,omitempty"`
}

// Soil is embedded under a name.
type Soil struct {
	Acid  bool     `json:"acid,omitempty"`
	Kinds []string `json:"kinds,omitempty"`
}

// Wood is embedded as a pointer.
type Wood struct {
	Hard bool `json:"hard,omitempty"`
}

// Branch can have branches.
type Branch struct {
	Length   int64    `json:"length"`
	Branches []Branch `json:"branches,omitempty"`
}

// Plain has no JSON tags, so that it is no object in JSON.
type Plain struct {
	Field string
}

// TreeStatus is what is there.
type TreeStatus struct {
	Fruit int64  `json:"fruit"`
	Plain Plain  `json:"plain,omitempty"`
	Any   Cutter `json:"any,omitempty"`
}

// Cutter is a type with a type parameter that is known.
//
// +k8s:deepcopy-gen=false
type Cutter Tool[tools.Blade]

// DeepCopyInto copies in to out, which shares the parts.
func (in *Cutter) DeepCopyInto(out *Cutter) { *out = *in }

// Tool is generic.
//
// +k8s:deepcopy-gen=false
type Tool[T any] struct {
	Part  T   `json:"part,omitempty"`
	Parts []T `json:"parts,omitempty"`
}

// TreeList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type TreeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Tree `json:"items"`
}

// Pruning is what the pruning subresource takes and gives.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Pruning struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Cut PruningCut `json:"cut,omitempty"`
}

// PruningCut is not part of a tree.
type PruningCut struct {
	Deep bool `json:"deep,omitempty"`
}
