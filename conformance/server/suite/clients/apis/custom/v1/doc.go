// Package v1 contains Go types for the custom resources that the cases define.
//
// Cases define them in their own groups; the group of these types stands for all of them.
//
// +k8s:deepcopy-gen=package
// +groupName=custom.listwatch.test
package v1

//go:generate go run github.com/listwatch/listwatch/cmd/gen-deepcopy .
