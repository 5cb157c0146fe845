// Package v1 has the types that another package's methods take and give; no
// client is made of it.
//
// +k8s:deepcopy-gen=package
// +groupName=scaling.example.com
package v1
