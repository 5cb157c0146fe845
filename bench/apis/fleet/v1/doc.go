// Package v1 contains the custom resource of the benchmark, which has the size of a typical
// operator's.
//
// +k8s:deepcopy-gen=package
// +groupName=fleet.example.com
package v1

//go:generate go tool -modfile=../../../../tools/go.mod deepcopy-gen --output-file zz_generated.deepcopy.go .
