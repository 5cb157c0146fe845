// Package v1 has kinds named as what generated code has.
//
// +k8s:deepcopy-gen=package
// +groupName=trouble.example.com
package v1
