// Package compatibility compares the API of the runtime with that of client-go,
// symbol by symbol, and writes docs/compatibility.md from the result.
//
// # Terms
//
// A pair is a package of client-go with the packages of the runtime that stand for
// it, see [Pairs]. A symbol is one that package goapi describes: a function, a type,
// one of a type's methods or fields, a constant with its value, a variable. Once
// client-go's import paths are replaced by those of the runtime, a symbol is
//
//   - kept, if both describe it in the same words;
//   - changed, if they do not; a method that the runtime adds to an interface counts
//     too, as others implement it;
//   - left out, if the runtime does not have it. The methods and fields of a type
//     that is left out go with it;
//   - added, if client-go does not have it.
//
// Every symbol that is changed or left out needs a [Decision], which gives the
// reason. A pair whose packages do not exist yet is left alone.
//
// # Files
//
// pairs.go and decisions.go are written by hand; so are used.txt, the symbols that
// projects and emitted code use, and compatibility.md.tmpl, the document without
// its tables. testdata/kept.txt lists all kept symbols: a change there is a change
// of what users were promised. It and the document are written by
//
//	go test ./compatibility -update
package compatibility
