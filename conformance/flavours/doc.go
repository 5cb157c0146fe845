// Package flavours proves that the clientsets, listers and informers which the
// generators emit over our own runtime offer what those over client-go offer: who moves
// from one to the other changes import paths and nothing else.
//
// # Terms
//
// A case is a folder under testdata/apis. Its trees in both flavours are generated in
// memory. They are type-checked (package source), described symbol by symbol
// (package goapi) and compared, after the import paths in the description of the
// first are put into ours by [Paths].
//
// # Limits
//
// A difference is an error unless the table of exceptions gives a reason for it;
// an exception that nothing needs is an error too. What types of the two runtimes
// offer beyond what emitted code shows of them is compared by package
// compatibility.
package flavours
