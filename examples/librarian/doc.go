// Package librarian is an example controller that uses listwatch: it puts books on shelves.
//
// Its API, [Book and Shelf], is one of listwatch's test cases. Directory crds contains its CRDs,
// and generated the output of gen-all. Start with librarian.go, the controller. Then see
// places.go, which ensures that no place is assigned twice; librarian_test.go, which tests the
// controller with an API server in the test's process; and cmd/librarian, the program for a
// cluster. `make demo` runs cmd/demo.
//
// [Book and Shelf]: https://github.com/listwatch/listwatch/tree/main/testdata/apis/one-group/library/v1/types.go
package librarian

//go:generate go tool gen-all --output-dir generated --output-pkg github.com/listwatch/listwatch/examples/librarian/generated --timings github.com/listwatch/listwatch/testdata/apis/one-group/library/v1
