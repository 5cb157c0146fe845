package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Boat floats.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Boat struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BoatSpec `json:"spec"`
}

// BoatSpec is what is wanted.
type BoatSpec struct {
	Berth int32 `json:"berth"`
}

// BoatList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type BoatList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Boat `json:"items"`
}

// Buoy has an expansion of its lister only, and no namespaces.
//
// +genclient
// +genclient:nonNamespaced
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Buoy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BuoySpec `json:"spec"`
}

// BuoySpec is what is wanted.
type BuoySpec struct {
	Colour string `json:"colour"`
}

// BuoyList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type BuoyList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Buoy `json:"items"`
}
