// Package v1beta1 is a version of ships.
//
// +kubebuilder:object:generate=true
// +groupName=versions.example.com
package v1beta1
