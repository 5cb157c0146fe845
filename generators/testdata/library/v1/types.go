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
}
