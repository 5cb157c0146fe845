// Package v1beta1 is one of three versions of a group.
//
// +k8s:deepcopy-gen=package
// +groupName=jobs.example.com
package v1beta1
