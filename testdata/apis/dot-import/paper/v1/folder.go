package v1

import kube "k8s.io/apimachinery/pkg/apis/meta/v1"

// Folder has its metadata from a package under another name.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Folder struct {
	kube.TypeMeta   `json:",inline"`
	kube.ObjectMeta `json:"metadata,omitempty"`

	Sheets []string `json:"sheets"`
}

// FolderList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type FolderList struct {
	kube.TypeMeta `json:",inline"`
	kube.ListMeta `json:"metadata,omitempty"`

	Items []Folder `json:"items"`
}
