package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/testdata/apis/embedded/common"
)

// Puppet embeds its metadata and its status.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Puppet struct {
	common.Head `json:",inline"`
	common.Body `json:",inline"`

	Strings int32 `json:"strings"`
}

// PuppetList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type PuppetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Puppet `json:"items"`
}
