// Package deepcopy compares the deepcopy functions of gen-deepcopy with those of its peers.
//
// All of k8s.io/api and the cases of the repository equal deepcopy-gen's, except for the names of
// imports; object/v1 does the same as controller-gen's. Random objects of all kinds of the built-in API
// and of object/v1 are copied, and compared. With the tag projects, real projects from the Go module
// proxy are compared with the output of deepcopy-gen that they contain or of the pinned version;
// testdata/projects.txt has the results.
package deepcopy

//go:generate go run github.com/listwatch/listwatch/cmd/gen-deepcopy ./...
