// Package librarian is a controller as listwatch would have it written: it puts books on
// shelves.
//
// Its API, [Book and Shelf], is one of listwatch's test cases; crds/ holds what an API server
// wants to know of it, and generated/ what gen-all made of it. Read librarian.go first, then
// places.go, why no place is given twice; then
// librarian_test.go, which runs the controller against an API server in the test's process, then
// cmd/librarian, the program for a cluster. cmd/demo is what `make demo` shows.
//
// [Book and Shelf]: https://github.com/listwatch/listwatch/tree/main/testdata/apis/one-group/library/v1/types.go
package librarian

//go:generate go tool gen-all --output-dir generated --output-pkg github.com/listwatch/listwatch/examples/librarian/generated --timings github.com/listwatch/listwatch/testdata/apis/one-group/library/v1
