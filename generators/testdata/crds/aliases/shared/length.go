// Package shared has types without a group, and aliases of them.
package shared

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Length is a text of at most 99 bytes.
//
// +kubebuilder:validation:MaxLength=99
type Length = Text

// Text is a text.
//
// +kubebuilder:validation:MinLength=3
type Text string

// Plain is an alias of a predeclared type.
//
// +kubebuilder:validation:Pattern=x
type Plain = string

// Moment is an alias of a type that has a known schema.
type Moment = metav1.Time

type Silent = Text

// Part is a struct.
type Part struct {
	// +optional
	A Length `json:"a,omitempty"`
}

// Piece is an alias of a struct.
//
// +kubebuilder:pruning:PreserveUnknownFields
type Piece = Part

// Inlined is embedded.
type Inlined struct {
	B string `json:"b"`
}

// Embedded is an alias of it.
type Embedded = Inlined
