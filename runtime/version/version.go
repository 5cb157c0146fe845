// Package version lets generated code declare at compile time which version of this module's runtime it needs.
//
// Generated code names the constant of the version that it was generated for:
//
//	const _ = version.IsAtLeast0_1
//
// With an older runtime it does not compile, and the compiler's message names the missing version. A newer
// runtime keeps the constants of all versions whose generated code still works with it.
package version

// Each constant exists in the version of its name and in later ones. The values have no meaning.
const (
	IsAtLeast0_1 = true
)
