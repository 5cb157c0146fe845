// Package v1beta1 is one of three groups.
//
// +k8s:deepcopy-gen=package
// +groupName=garden.example.com
package v1beta1
