// Package v1 holds Go types for the custom resources that the cases define.
//
// Cases define them in a group of their own; these types are in one that stands for it.
//
// +k8s:deepcopy-gen=package
// +groupName=custom.listwatch.test
package v1

//go:generate go tool -modfile=../../../../../../tools/go.mod deepcopy-gen --output-file zz_generated.deepcopy.go .
