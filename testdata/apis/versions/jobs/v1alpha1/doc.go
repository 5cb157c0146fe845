// Package v1alpha1 is one of three versions of a group.
//
// +k8s:deepcopy-gen=package
// +groupName=jobs.example.com
package v1alpha1
