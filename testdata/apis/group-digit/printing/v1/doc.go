// Package v1 is of a group that starts with a digit.
//
// +k8s:deepcopy-gen=package
// +groupName=3d.example.com
package v1
