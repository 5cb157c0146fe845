// Package v1beta1 holds a Go type for the older version of a custom resource.
//
// Cases define them in a group of their own; this type is in one that stands for it.
//
// +k8s:deepcopy-gen=package
// +groupName=custom.listwatch.test
package v1beta1

//go:generate go tool -modfile=../../../../../../tools/go.mod deepcopy-gen --output-file zz_generated.deepcopy.go .
