// Package v1 imports in unusual ways.
//
// +k8s:deepcopy-gen=package
// +groupName=paper.example.com
package v1
