// Package v1 is of a group whose folder has dots.
//
// +k8s:deepcopy-gen=package
// +groupName=k8s.acme.io
package v1
