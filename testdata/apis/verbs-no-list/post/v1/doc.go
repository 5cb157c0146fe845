// Package v1 has a kind that cannot be listed.
//
// +k8s:deepcopy-gen=package
// +groupName=post.example.com
package v1
