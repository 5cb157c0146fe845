package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Book is a book.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Book struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BookSpec   `json:"spec"`
	Status BookStatus `json:"status,omitempty"`
}

// BookSpec is what is wanted.
type BookSpec struct {
	Title string `json:"title"`
	Pages int32  `json:"pages"`
}

// BookStatus is what is there.
type BookStatus struct {
	Shelf string `json:"shelf"`
	Lent  bool   `json:"lent"`
}

// BookList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type BookList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Book `json:"items"`
}

// Shelf holds books.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Shelf struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ShelfSpec `json:"spec"`
}

// ShelfSpec is what is wanted.
type ShelfSpec struct {
	Length int32 `json:"length"`
}

// ShelfList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ShelfList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Shelf `json:"items"`
}
