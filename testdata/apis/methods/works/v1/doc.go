// Package v1 has a kind with methods of its own.
//
// +k8s:deepcopy-gen=package
// +groupName=works.example.com
package v1
