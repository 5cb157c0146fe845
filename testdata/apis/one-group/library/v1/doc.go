// Package v1 holds a library: books and the shelves they stand on.
//
// +k8s:deepcopy-gen=package
// +groupName=library.example.com
package v1
