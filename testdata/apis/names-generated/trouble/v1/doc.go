// Package v1 has a kind whose expansion has the name of a generated file.
//
// +k8s:deepcopy-gen=package
// +groupName=trouble.example.com
package v1
