// Package v2 wants all that there is.
//
// +k8s:deepcopy-gen=package
// +groupName=quiet.example.com
package v2
