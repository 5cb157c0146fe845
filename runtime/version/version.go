// Package version lets emitted code say at compile time which version of this
// module's runtime it needs.
//
// What a generator emits names the constant of the version that it was made for:
//
//	const _ = version.IsAtLeast0_1
//
// A module that holds emitted code and an older runtime does not compile, and the
// compiler's message names the missing version. A newer runtime keeps the
// constants of all versions whose emitted code still works with it.
package version

// Each constant exists in the version of its name and in later ones. The values
// mean nothing.
const (
	IsAtLeast0_1 = true
)
