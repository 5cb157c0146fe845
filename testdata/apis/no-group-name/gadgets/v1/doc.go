// Package v1 is of a group that only its path names.
//
// +k8s:deepcopy-gen=package
// +k8s:register-gen=true
package v1
