// Package programs migrates real programs, at pinned versions from the Go module proxy, with
// listwatch-migrate, generates their clients again with the commands that it prints, and
// type-checks the result.
//
// A package of a program may fail to compile only if it, or one that it imports, uses a package
// of client-go that is not replaced yet: its types are then client-go's. The test prints for
// each program what was rewritten, what remains and why, and what compiles.
//
// The tests download whole programs and are not part of "make conformance"; "make programs"
// runs them.
package programs
