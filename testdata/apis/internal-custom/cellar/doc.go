// Package cellar is the internal version of its group, which has no external one.
//
// +k8s:deepcopy-gen=package
// +groupName=cellar.example.com
package cellar
