// Package compatibility compares the runtime's API with client-go's, symbol by symbol, and
// generates docs/compatibility.md.
//
// # Terms
//
// A pair is a package of client-go with the packages of the runtime that replace it; see
// [migration.Pairs]. A symbol is an element that package goapi describes: a function, a type, a
// method or field of a type, a constant with its value, a variable. After replacing
// client-go's import paths with the runtime's, a symbol is
//
//   - kept, if both have the same description;
//   - changed, if the descriptions differ; this includes a method that the runtime adds to
//     an interface, because others implement it;
//   - left out, if the runtime does not have it, together with the methods and fields of a
//     type that is left out;
//   - added, if client-go does not have it.
//
// Every symbol that is changed or left out needs a [migration.Decision] with the reason.
//
// A tree is a directory of client-go whose packages have one counterpart each: the clients of the
// built-in API; see [migration.Trees]. Its packages are compared together, and two differences do
// not count: ours embed interfaces of the runtime, whose methods are compared one by one, and name
// types of the runtime by aliases.
//
// # Files
//
// The tables of pairs, trees, decisions and other packages are in internal/migration, where the
// command that migrates code reads them. used.txt, the symbols that projects and emitted code
// use, and compatibility.md.tmpl, the document without its tables, are written by hand. testdata/kept.txt lists all kept symbols of pairs: a change there is a change
// of what users were promised. It and the document are written by
//
//	LISTWATCH_UPDATE=1 go test ./docs/compatibility
package compatibility
