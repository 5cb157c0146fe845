// Package v1 has a kind in a file as protoc writes.
//
// +k8s:deepcopy-gen=package
// +groupName=wire.example.com
package v1
