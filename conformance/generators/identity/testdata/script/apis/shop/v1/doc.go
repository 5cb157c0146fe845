// +k8s:deepcopy-gen=package
// +groupName=shop.example.test

package v1
