// Package types has structs for kinds of several groups.
//
// +k8s:deepcopy-gen=package
package types
