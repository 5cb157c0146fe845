// Package v1 has kinds that are aliases by another name.
//
// +k8s:deepcopy-gen=package
// +groupName=theatre.example.com
package v1
