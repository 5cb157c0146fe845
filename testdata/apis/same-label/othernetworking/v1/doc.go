// Package v1 is one of two groups named networking.
//
// +k8s:deepcopy-gen=package
// +groupName=networking.other.io
package v1
