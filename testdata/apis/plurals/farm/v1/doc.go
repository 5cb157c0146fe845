// Package v1 has plurals of all sorts.
//
// +k8s:deepcopy-gen=package
// +groupName=farm.example.com
package v1
