// Package v1 wants no client.
//
// +k8s:deepcopy-gen=package
// +groupName=quiet.example.com
// +k8s:client-gen=false
// +k8s:lister-gen=false
// +k8s:informer-gen=false
package v1
