// Package v1 is the external version of its group.
//
// +k8s:deepcopy-gen=package
// +groupName=brewery.example.com
package v1
