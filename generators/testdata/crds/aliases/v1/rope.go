// +groupName=aliases.example.com
// +versionName=v1

// Package v1 has fields whose types are aliases, of its own package and of another.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/generators/testdata/crds/aliases/shared"
)

// Rope has fields of aliases.
//
// +kubebuilder:object:root=true
type Rope struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              RopeSpec `json:"spec"`
}

// RopeSpec names aliases in all ways.
type RopeSpec struct {
	Length shared.Length `json:"length"`
	// Commented has a comment of its own.
	Commented shared.Length            `json:"commented"`
	Pointer   *shared.Length           `json:"pointer,omitempty"`
	List      []shared.Length          `json:"list"`
	Map       map[string]shared.Length `json:"map"`
	Lists     [][]*shared.Length       `json:"lists"`
	Plain     shared.Plain             `json:"plain"`
	Moment    shared.Moment            `json:"moment"`
	Silent    shared.Silent            `json:"silent"`
	Piece     shared.Piece             `json:"piece"`
	Cold      Cold                     `json:"cold"`
	Four      Four                     `json:"four"`
	Eight     Eight                    `json:"eight"`
	First     First                    `json:"first"`
	Second    Second                   `json:"second"`
	Named     Named                    `json:"named"`

	shared.Embedded `json:",inline"`
}

// Config is a number.
//
// +kubebuilder:validation:Maximum=99
type Config int64

// Cold is an alias of a declared type.
//
// +kubebuilder:validation:Minimum=10
type Cold = Config

// Four is an alias of an alias.
//
// +kubebuilder:validation:MultipleOf=2
type Four = Cold

// Eight is an alias of an alias of an alias.
type Eight = Four

// First is an alias of a predeclared type.
//
// +kubebuilder:validation:MinLength=1
type First = string

// Second is an alias of that.
//
// +kubebuilder:validation:MinLength=2
type Second = First

// Named is declared as an alias.
//
// +kubebuilder:validation:MaxLength=7
type Named First
