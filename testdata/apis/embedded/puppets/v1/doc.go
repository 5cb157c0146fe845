// Package v1 has kinds that embed structs of another package.
//
// +k8s:deepcopy-gen=package
// +groupName=puppets.example.com
package v1
