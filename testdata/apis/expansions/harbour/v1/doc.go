// Package v1 has a kind whose client has more methods.
//
// +k8s:deepcopy-gen=package
// +groupName=harbour.example.com
package v1
