// Package v1 has kinds named as packages.
//
// +k8s:deepcopy-gen=package
// +groupName=trouble.example.com
package v1
