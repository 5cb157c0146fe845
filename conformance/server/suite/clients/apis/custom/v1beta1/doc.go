// Package v1beta1 contains a Go type for the older version of a custom resource.
//
// Cases define it in their own groups; the group of this type stands for all of them.
//
// +k8s:deepcopy-gen=package
// +groupName=custom.listwatch.test
package v1beta1

//go:generate go run github.com/listwatch/listwatch/cmd/gen-deepcopy .
