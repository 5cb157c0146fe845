// Package v1alpha1 holds the first version of the widgets API.
//
// +k8s:deepcopy-gen=package
// +groupName=widgets.example.com
package v1alpha1

//go:generate go tool -modfile=../../../../../../tools/go.mod deepcopy-gen --output-file zz_generated.deepcopy.go .
