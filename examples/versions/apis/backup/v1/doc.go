// Package v1 is version v1 of the API group backup.example.com.
//
// +k8s:deepcopy-gen=package
// +k8s:register-gen=package
// +groupName=backup.example.com
package v1
