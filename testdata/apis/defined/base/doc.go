// Package base has the types that another package gives its own names.
//
// +k8s:deepcopy-gen=package
package base
