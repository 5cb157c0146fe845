// Package v1 is to have no fake.
//
// +k8s:deepcopy-gen=package
// +groupName=truth.example.com
package v1
