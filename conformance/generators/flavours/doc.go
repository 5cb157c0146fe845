// Package flavours checks that the clientsets, listers and informers that the generators print for
// our own runtime have the same API as those for client-go: a project that switches from one to the
// other changes only import paths.
//
// # Terms
//
// A case is a directory below testdata/apis. Its trees for both runtimes are generated in memory.
// They are type-checked (package source), described symbol by symbol (package goapi) and compared,
// after the import paths in the description of the first are replaced with ours by [Paths].
//
// # Limits
//
// A difference is an error unless the table of exceptions contains a reason for it; an unused
// exception is an error too. Package compatibility compares the parts of the runtimes' types that
// generated code does not show.
package flavours
