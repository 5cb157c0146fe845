// Package v1 does not compile with the tag "incomplete".
//
// +k8s:deepcopy-gen=package
// +groupName=attic.example.com
package v1
