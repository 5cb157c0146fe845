// Package v1 is of a group with a Go name of its own.
//
// +k8s:deepcopy-gen=package
// +groupName=policy.other.io
// +groupGoName=otherPolicy
package v1
