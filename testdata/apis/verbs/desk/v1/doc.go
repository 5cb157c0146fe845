// Package v1 has a kind for each marker that takes verbs away.
//
// +k8s:deepcopy-gen=package
// +groupName=desk.example.com
package v1
