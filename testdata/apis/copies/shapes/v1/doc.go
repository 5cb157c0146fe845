// Package v1 contains values of every form that deepcopy functions copy.
//
// +k8s:deepcopy-gen=package
// +k8s:register-gen=package
// +groupName=shapes.example.com
package v1
