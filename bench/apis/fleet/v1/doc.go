// Package v1 holds the custom resource of the benchmark: what an operator of
// ordinary size has.
//
// +k8s:deepcopy-gen=package
// +groupName=fleet.example.com
package v1

//go:generate go tool -modfile=../../../../tools/go.mod deepcopy-gen --output-file zz_generated.deepcopy.go .
