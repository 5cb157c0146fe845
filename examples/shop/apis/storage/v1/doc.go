// +k8s:deepcopy-gen=package
// +k8s:register-gen=package
// +groupName=storage.example.com

package v1
