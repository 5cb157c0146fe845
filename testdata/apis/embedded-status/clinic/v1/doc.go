// Package v1 has a kind that embeds its status.
//
// +k8s:deepcopy-gen=package
// +groupName=clinic.example.com
package v1
