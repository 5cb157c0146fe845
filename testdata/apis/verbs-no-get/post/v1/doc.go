// Package v1 has a kind that cannot be got by name.
//
// +k8s:deepcopy-gen=package
// +groupName=post.example.com
package v1
