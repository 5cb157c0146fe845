// Package v1 has comments of all forms.
//
// +groupName=descriptions.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Page is described. The first sentence is short. The second is somewhat longer than the first, and has
// a line break.
//
// A second paragraph:
//   - an item
//   - another item,
//     continued
//
//	code := "indented"
//
// # Heading
//
// 1. one
// 2. two
//
// TODO: this is not for users.
// NOTE: this is.
//
// +kubebuilder:object:root=true
// A line after a marker.
// ---
// What follows is not for users.
type Page struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Plain is plain.
	Plain string `json:"plain,omitempty"`

	None string `json:"none,omitempty"`

	Trailing string `json:"trailing,omitempty"` // Trailing comments do not count.

	/* Block is a block. */
	Block string `json:"block,omitempty"`

	/*
		Blocks has several lines.

		  Indented.
		+kubebuilder:validation:MaxLength=1
	*/
	Blocks string `json:"blocks,omitempty"`

	// +optional
	// Late comes after its marker.
	Late string `json:"late,omitempty"`

	// Early comes before,
	// +optional
	// and after.
	Early string `json:"early,omitempty"`

	// Apart is apart from the field.

	// Above is the comment right above the field.
	Above string `json:"above,omitempty"`

	// Free floats.
	// +kubebuilder:validation:MaxLength=7

	Floating string `json:"floating,omitempty"`

	// Dashes come next.
	// ---
	// Hidden.
	Dashes string `json:"dashes,omitempty"`

	// Dashes in a -- - line --- stay.
	Inner string `json:"inner,omitempty"`

	// TODO(someone): hidden.
	// Shown.
	Todo string `json:"todo,omitempty"`

	// Trailing spaces.   
	//   Indented by three.
	//
	//
	// After two blank lines.
	Spaces string `json:"spaces,omitempty"`

	//No space before the text.
	Tight string `json:"tight,omitempty"`

	//+kubebuilder:validation:MaxLength=9
	//go:fix inline
	//nolint:lll
	Directives string `json:"directives,omitempty"`

	// Unicode: “quotes”, ümlauts, 日本語. Backslashes \ and "quotes": 'single' # hash
	Unicode string `json:"unicode,omitempty"`

	// Deprecated: no longer used.
	Deprecated string `json:"deprecated,omitempty"`

	// A + in the middle
	// + not a marker?
	//  +optional
	Plus string `json:"plus"`

	Described Described `json:"described,omitempty"`

	// Field overrides the type.
	Override Described `json:"override,omitempty"`

	List []Described `json:"list,omitempty"`
}

// Described is described by its type.
type Described struct {
	// X is x. It is long enough to be cut in its second sentence. And a third one.
	X string `json:"x,omitempty"`
}

/*
Leaf is described in a block.

	With code.
*/
type Leaf struct {
	metav1.TypeMeta `json:",inline"`
	// ObjectMeta is described.
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Stem is described in a group.
type (
	// Stem is described in its group.
	Stem struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
	}

	Bare struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
	}
)
