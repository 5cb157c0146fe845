// Package v1 is asked for in protobuf.
//
// +k8s:deepcopy-gen=package
// +groupName=dense.example.com
package v1
