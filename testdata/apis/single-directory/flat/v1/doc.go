// Package v1 is to have its informers in one folder.
//
// +k8s:deepcopy-gen=package
// +groupName=flat.example.com
package v1
