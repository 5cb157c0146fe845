// Package v1 has markers in every place where they count.
//
// +k8s:deepcopy-gen=package
// +groupName=signs.example.com
package v1
