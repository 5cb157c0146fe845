// Package v1 has a list of pointers.
//
// +k8s:deepcopy-gen=package
// +groupName=fleet.example.com
package v1
