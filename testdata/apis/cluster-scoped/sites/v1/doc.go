// Package v1 has a kind outside of namespaces.
//
// +k8s:deepcopy-gen=package
// +groupName=sites.example.com
package v1
