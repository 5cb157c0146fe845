// Package v1 is one of three groups; it has a kind named as one of kitchen's.
//
// +k8s:deepcopy-gen=package
// +groupName=store.example.com
package v1
