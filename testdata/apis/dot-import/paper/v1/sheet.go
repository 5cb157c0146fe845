package v1

import . "github.com/listwatch/listwatch/testdata/apis/dot-import/meta"

// Sheet has its metadata by dot import.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Sheet struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata,omitempty"`

	Status SheetStatus `json:"status,omitempty"`
}

// SheetStatus is what is there.
type SheetStatus struct {
	Written bool `json:"written"`
}

// SheetList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type SheetList struct {
	TypeMeta `json:",inline"`
	ListMeta `json:"metadata,omitempty"`

	Items []Sheet `json:"items"`
}
