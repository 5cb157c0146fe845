// Package v1 declares its kinds in groups, in several files.
//
// +k8s:deepcopy-gen=package
// +groupName=shapes.example.com
package v1
