package model

import "slices"

// RegisterFile is the name of the generated file with a package's [Register].
const RegisterFile = "zz_generated.register.go"

// Register is the registration of a package's types in schemes, for a generated file.
type Register struct {
	// Group and Version are the names in the API. Group is empty for the core group.
	Group, Version string
	// Types are the names of the types to register, sorted.
	Types []string
	// HasKind reports whether the function Kind is generated, which a package can declare itself.
	HasKind bool
}

func (r *Register) clone() *Register {
	if r == nil {
		return nil
	}
	return &Register{Group: r.Group, Version: r.Version, Types: slices.Clone(r.Types), HasKind: r.HasKind}
}
