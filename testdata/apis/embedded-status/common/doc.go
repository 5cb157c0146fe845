// Package common has what a kind of another package embeds.
//
// +k8s:deepcopy-gen=package
package common
