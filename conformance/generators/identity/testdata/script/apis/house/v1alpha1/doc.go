// +k8s:deepcopy-gen=package
// +groupName=house.example.test

package v1alpha1
