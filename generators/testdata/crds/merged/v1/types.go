// +groupName=merged.example.com
// +versionName=v1

// Package v1 has types that say the same more than once: in a field and its type, and in a struct and one that it embeds.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Merged is a kind.
//
// +kubebuilder:resource:path=mergeds
type Merged struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MergedSpec `json:"spec"`
}

// MergedSpec has fields of the names of embedded ones.
type MergedSpec struct {
	Inner `json:",inline"`

	// +kubebuilder:default=1
	Size int32 `json:"size,omitempty"`
	// +kubebuilder:default=x
	Own string `json:"own,omitempty"`
	// +kubebuilder:validation:MaxLength=10
	Text   string             `json:"text,omitempty"`
	Port   intstr.IntOrString `json:"port,omitempty"`
	Labels map[string]string  `json:"labels,omitempty"`
	// +kubebuilder:validation:MaxItems=3
	// +kubebuilder:validation:UniqueItems=true
	List []string `json:"list,omitempty"`

	// +kubebuilder:title="Title of the field"
	// +kubebuilder:externalDocs:url="https://example.com/field",description="of the field"
	// +kubebuilder:example=b
	Titled Titled `json:"titled,omitempty"`
	// Inherited has the title of its type.
	Inherited Titled `json:"inherited,omitempty"`

	// +kubebuilder:validation:MinItems=1
	Keyed Keyed `json:"keyed,omitempty"`
	// +listType=atomic
	Atomic Keyed `json:"atomic,omitempty"`

	// +kubebuilder:validation:MaxProperties=5
	// +kubebuilder:validation:MinProperties=1
	SameCount Counted `json:"sameCount,omitempty"`
	// +kubebuilder:validation:MaxProperties=4
	// +kubebuilder:validation:MinProperties=2
	OtherCount Counted `json:"otherCount,omitempty"`

	// +kubebuilder:validation:Maximum=10
	// +kubebuilder:validation:Minimum=2
	// +kubebuilder:validation:ExclusiveMaximum=true
	// +kubebuilder:validation:MultipleOf=2
	Bounded Bounded `json:"bounded,omitempty"`
	// +kubebuilder:validation:Enum=2;4
	// +kubebuilder:validation:Format=int64
	Chosen Bounded `json:"chosen,omitempty"`
	// +kubebuilder:validation:Pattern=`^a`
	// +kubebuilder:validation:Enum=a
	Lettered Lettered `json:"lettered,omitempty"`
}

// Inner is embedded.
type Inner struct {
	// +kubebuilder:default=2
	Size int32 `json:"size,omitempty"`
	// Own has no default here.
	Own string `json:"own,omitempty"`
	// +kubebuilder:validation:MaxLength=20
	Text string             `json:"text,omitempty"`
	Port intstr.IntOrString `json:"port,omitempty"`
	// +kubebuilder:validation:MaxProperties=3
	Labels map[string]string `json:"labels,omitempty"`
	// +kubebuilder:validation:MaxItems=3
	List []string `json:"list,omitempty"`
	// Further is only here.
	Further intstr.IntOrString `json:"further"`
}

// Titled is described outside.
//
// +kubebuilder:title="Title of the type"
// +kubebuilder:externalDocs:url="https://example.com/type"
type Titled string

// Keyed is a list with keys.
//
// +listType=map
// +listMapKey=name
// +kubebuilder:validation:MinItems=2
type Keyed []Item

// Item is an item.
type Item struct {
	Name string `json:"name"`
}

// Counted is a map of a size.
//
// +kubebuilder:validation:MaxProperties=5
type Counted map[string]string

// Bounded is a number in bounds.
//
// +kubebuilder:validation:Maximum=10
// +kubebuilder:validation:Minimum=1
// +kubebuilder:validation:Enum=2;4;6
type Bounded int32

// Lettered is a text of letters.
//
// +kubebuilder:validation:Pattern=`^[a-z]*$`
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:XValidation:rule="self != 'x'"
type Lettered string
