// Package v1alpha1 holds the first version of the widgets API.
//
// +k8s:deepcopy-gen=package
// +groupName=widgets.example.com
package v1alpha1

//go:generate go -C ../../../../../.. run ./cmd/gen-deepcopy ./bench/generate/testdata/crd/widgets/v1alpha1
