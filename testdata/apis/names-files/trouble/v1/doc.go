// Package v1 has kinds that make files special.
//
// +k8s:deepcopy-gen=package
// +groupName=trouble.example.com
package v1
