package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Note has a status, and no request of its own for it.
//
// +genclient
// +genclient:noStatus
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Note struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   NoteSpec   `json:"spec"`
	Status NoteStatus `json:"status,omitempty"`
}

// NoteSpec is what is wanted.
type NoteSpec struct {
	Text string `json:"text"`
}

// NoteStatus is what is there.
type NoteStatus struct {
	Read bool `json:"read"`
}

// NoteList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type NoteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Note `json:"items"`
}

// Clock can be read only.
//
// +genclient
// +genclient:readonly
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Clock struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ClockSpec `json:"spec"`
}

// ClockSpec is what is wanted.
type ClockSpec struct {
	Zone string `json:"zone"`
}

// ClockList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ClockList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Clock `json:"items"`
}

// Stamp can be got and made, and nothing else.
//
// +genclient
// +genclient:onlyVerbs=create,get
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Stamp struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec StampSpec `json:"spec"`
}

// StampSpec is what is wanted.
type StampSpec struct {
	Ink string `json:"ink"`
}

// StampList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type StampList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Stamp `json:"items"`
}

// Ledger is never deleted, nor all at once.
//
// +genclient
// +genclient:skipVerbs=delete,deleteCollection
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Ledger struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   LedgerSpec   `json:"spec"`
	Status LedgerStatus `json:"status,omitempty"`
}

// LedgerSpec is what is wanted.
type LedgerSpec struct {
	Year int32 `json:"year"`
}

// LedgerStatus is what is there.
type LedgerStatus struct {
	Entries int64 `json:"entries"`
}

// LedgerList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type LedgerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Ledger `json:"items"`
}

// Bell rings by itself: no verb, only what an expansion adds.
//
// +genclient
// +genclient:noVerbs
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Bell struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BellSpec `json:"spec"`
}

// BellSpec is what is wanted.
type BellSpec struct {
	Tone string `json:"tone"`
}

// BellList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type BellList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Bell `json:"items"`
}
