// Package v1 has kinds that are viewed.
// +groupName=cafe.example.com
// +k8s:deepcopy-gen=package
// +k8s:register-gen=package
package v1
