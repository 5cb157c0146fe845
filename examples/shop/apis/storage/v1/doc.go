// +k8s:deepcopy-gen=package
// +groupName=storage.example.com

package v1
