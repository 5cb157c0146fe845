package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Site is a web site of one page.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=Ready,type=string,JSONPath=.status.conditions[?(@.type=="Ready")].status
// +kubebuilder:printcolumn:name=Available,type=integer,JSONPath=.status.availableReplicas
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is written by users.
	Spec SiteSpec `json:"spec"`
	// Status is written by the controller.
	Status SiteStatus `json:"status,omitempty"`
}

// SiteSpec is the requested state of a site.
type SiteSpec struct {
	// HTML is the page.
	//
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=100000
	HTML string `json:"html"`
	// Replicas is the number of web servers.
	//
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=0
	Replicas int32 `json:"replicas"`
}

// SiteStatus is the observed state of a site.
type SiteStatus struct {
	// AvailableReplicas is the number of web servers that serve the site.
	AvailableReplicas int32 `json:"availableReplicas,omitempty"`
	// Conditions are the site's conditions, by their type.
	//
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// ConditionReady is the condition that all web servers serve the current page.
const ConditionReady = "Ready"

// Reasons of ConditionReady.
const (
	ReasonAvailable   = "Available"   // all web servers are available
	ReasonProgressing = "Progressing" // some are not yet
	ReasonNameTaken   = "NameTaken"   // an object that the site does not own has the name of one that it needs
)

// SiteList is a list of sites.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Site `json:"items"`
}
