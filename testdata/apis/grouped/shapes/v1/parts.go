package v1

type (
	// CircleSpec is what is wanted of a circle.
	CircleSpec struct {
		Radius int64 `json:"radius"`
	}

	// SquareSpec is what is wanted of a square.
	SquareSpec struct {
		Side int64 `json:"side"`
	}

	// Drawn says whether a shape is on paper.
	Drawn struct {
		Drawn bool `json:"drawn"`
	}
)
