// Package v1 wants clients, and neither listers nor informers.
//
// +k8s:deepcopy-gen=package
// +groupName=quiet.example.com
// +k8s:lister-gen=false
// +k8s:informer-gen=false
package v1
