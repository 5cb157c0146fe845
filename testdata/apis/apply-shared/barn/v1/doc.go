// Package v1 has kinds that can be applied.
//
// +k8s:deepcopy-gen=package
// +groupName=barn.example.com
package v1
