// Package v1 is version v1 of the API of sites.
//
// +k8s:deepcopy-gen=package
// +groupName=web.example.com
package v1
