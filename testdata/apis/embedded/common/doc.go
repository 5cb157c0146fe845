// Package common has what kinds of another package embed.
//
// +k8s:deepcopy-gen=package
package common
