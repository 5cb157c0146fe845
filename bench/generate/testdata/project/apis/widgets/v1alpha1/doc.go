// Package v1alpha1 holds the first version of the widgets API.
//
// +k8s:deepcopy-gen=package
// +k8s:register-gen=package
// +groupName=widgets.example.com
package v1alpha1
