// Package v1 has kinds that are defined as other types.
//
// +k8s:deepcopy-gen=package
// +groupName=theatre.example.com
package v1
