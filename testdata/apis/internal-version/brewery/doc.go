// Package brewery is the internal version of its group: what every external
// version is converted to.
//
// +k8s:deepcopy-gen=package
// +groupName=brewery.example.com
package brewery
