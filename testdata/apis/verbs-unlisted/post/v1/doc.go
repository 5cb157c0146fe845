// Package v1 has kinds that cannot be listed or watched.
//
// +k8s:deepcopy-gen=package
// +groupName=post.example.com
package v1
