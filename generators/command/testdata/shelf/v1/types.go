// Package v1 has the types of the example of package command.
package v1

// Shelf is a piece of furniture.
type Shelf struct {
	// Boards are the boards of the shelf.
	Boards []Board `json:"boards"`
	// Label is what is written on it.
	//
	// +getter=false
	Label *string `json:"label,omitempty"`
}

// Board is a board of a shelf.
type Board struct {
	Length int32 `json:"length"`
	Depth  int32 `json:"depth"`
}

// GetDepth returns the depth in millimetres.
func (b *Board) GetDepth() int32 { return b.Depth }
