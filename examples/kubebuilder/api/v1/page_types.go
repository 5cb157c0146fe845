package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// PageSpec is the content of a page.
type PageSpec struct {
	// +kubebuilder:validation:MinLength=1
	Title string `json:"title"`
	// +optional
	Text string `json:"text,omitempty"`
}

// PageStatus is where a page is stored.
type PageStatus struct {
	// ConfigMap is the name of the ConfigMap with the page.
	// +optional
	ConfigMap string `json:"configMap,omitempty"`
	// ObservedGeneration is the generation of the page in the ConfigMap.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// Page is a page of a web site.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Page struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PageSpec   `json:"spec"`
	Status PageStatus `json:"status,omitempty"`
}

// PageList is a list of pages.
//
// +kubebuilder:object:root=true
type PageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Page `json:"items"`
}
