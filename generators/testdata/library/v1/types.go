package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Library is a building with books.
//
// +genclient
// +genclient:nonNamespaced
type Library struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Book is a book of a library.
//
// +genclient
// +audited=full
type Book struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BookSpec    `json:"spec"`
	Status *BookStatus `json:"status,omitempty"`
}

// BookSpec describes a book.
type BookSpec struct {
	// Pages is the number of pages.
	//
	// +metric
	Pages int32 `json:"pages"`
}

// BookStatus is what happened to a book.
type BookStatus struct {
	// Loans is how often the book was lent.
	//
	// +metric
	Loans *int64 `json:"loans,omitempty"`
}
