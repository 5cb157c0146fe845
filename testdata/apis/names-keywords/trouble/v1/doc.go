// Package v1 has kinds named as keywords.
//
// +k8s:deepcopy-gen=package
// +groupName=trouble.example.com
package v1
