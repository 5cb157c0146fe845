// Package v1 has a kind with a method that lists.
//
// +k8s:deepcopy-gen=package
// +groupName=works.example.com
package v1
