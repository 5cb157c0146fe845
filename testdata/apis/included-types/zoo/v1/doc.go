// Package v1 is to have a client for one of its kinds.
//
// +k8s:deepcopy-gen=package
// +groupName=zoo.example.com
package v1
