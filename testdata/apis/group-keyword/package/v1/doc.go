// Package v1 is of a group that is a keyword.
//
// +k8s:deepcopy-gen=package
// +groupName=package.example.com
package v1
