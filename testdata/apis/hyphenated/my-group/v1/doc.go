// Package v1 is of a group with a hyphen.
//
// +k8s:deepcopy-gen=package
// +groupName=my-group.example.com
package v1
