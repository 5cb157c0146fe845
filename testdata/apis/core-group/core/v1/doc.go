// Package v1 is of the empty group.
//
// +k8s:deepcopy-gen=package
// +groupName=
package v1
