// Package v1 is as kubebuilder lays it out, with values of every form that controller-gen can copy.
// +kubebuilder:object:generate=true
// +groupName=object.example.com
package v1
