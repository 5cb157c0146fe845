// Package v1 has a kind whose methods take types of another package.
//
// +k8s:deepcopy-gen=package
// +groupName=works.example.com
package v1
