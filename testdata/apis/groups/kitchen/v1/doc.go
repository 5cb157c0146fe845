// Package v1 is one of three groups.
//
// +k8s:deepcopy-gen=package
// +groupName=kitchen.example.com
package v1
