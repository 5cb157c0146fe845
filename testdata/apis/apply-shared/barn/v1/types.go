package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/testdata/apis/apply-shared/shared/types"
)

// Barn stands in a field.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Barn struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Door  types.Door   `json:"door"`
	Doors []types.Door `json:"doors,omitempty"`

	// Selection is embedded, without being in an apply configuration itself.
	Selection[types.Door] `json:",inline"`
}

// DeepCopyInto copies in to out, which shares what is chosen.
func (in *Selection[T]) DeepCopyInto(out *Selection[T]) { *out = *in }

// Selection is generic.
//
// +k8s:deepcopy-gen=false
type Selection[T any] struct {
	Chosen *T                `json:"chosen,omitempty"`
	Number int32             `json:"number,omitempty"`
	List   []T               `json:"list,omitempty"`
	Words  map[string]string `json:"words,omitempty"`
}

// BarnList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type BarnList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Barn `json:"items"`
}
