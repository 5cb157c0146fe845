// Package shared has types without a group.
package shared

import "encoding/json"

// Meta is embedded elsewhere.
type Meta struct {
	// Owner is a person.
	Owner string `json:"owner"`
	// +kubebuilder:validation:MaxItems=3
	Labels []string `json:"labels,omitempty"`
}

// Reference points to something.
//
// +structType=atomic
type Reference struct {
	// +kubebuilder:default=v1
	APIVersion string `json:"apiVersion,omitempty"`
	Name       Name   `json:"name"`
}

// Name is a name.
// +kubebuilder:validation:MinLength=1
type Name string

// Names are names.
type Names []Name

// Table is a map.
type Table map[string]Reference

// Marshaled has JSON of its own.
//
// +kubebuilder:validation:Type=string
// +kubebuilder:validation:Format=duration
type Marshaled struct{ seconds int }

// MarshalJSON implements json.Marshaler.
func (m Marshaled) MarshalJSON() ([]byte, error) { return json.Marshal(m.seconds) }

// Transparent has JSON of its own, and no marker.
type Transparent struct {
	Seconds int32 `json:"seconds"`
}

// MarshalJSON implements json.Marshaler.
func (t *Transparent) MarshalJSON() ([]byte, error) { return json.Marshal(t.Seconds) }

// Level is a number that is written as text.
type Level int

// MarshalText implements encoding.TextMarshaler.
func (l Level) MarshalText() (text []byte, err error) { return []byte{byte(l)}, nil }

// Depth is a text.
//
// +kubebuilder:validation:MaxLength=8
type Depth struct{ n int }

// MarshalText implements encoding.TextMarshaler.
func (d *Depth) MarshalText() (text []byte, err error) { return nil, nil }

// Plain is a string with a rule.
//
// +kubebuilder:validation:MaxLength=63
type Plain = string
