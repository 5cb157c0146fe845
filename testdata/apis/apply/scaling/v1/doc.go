// Package v1 has a type that another package's methods take and give.
//
// +k8s:deepcopy-gen=package
// +groupName=scaling.example.com
package v1
