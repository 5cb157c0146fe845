// Package v1 has a kind that makes two things have one name.
//
// +k8s:deepcopy-gen=package
// +groupName=trouble.example.com
package v1
