// Package v1 is served under a path of its own.
//
// +k8s:deepcopy-gen=package
// +groupName=maps.example.com
package v1
