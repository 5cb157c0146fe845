// Package v1 contains the custom resource of the benchmark, which has the size of a typical
// operator's.
//
// +k8s:deepcopy-gen=package
// +groupName=fleet.example.com
package v1

//go:generate go run github.com/listwatch/listwatch/cmd/gen-deepcopy .
