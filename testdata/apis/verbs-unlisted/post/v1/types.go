package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Letter cannot be listed, nor deleted by a list.
//
// +genclient
// +genclient:skipVerbs=list,deleteCollection
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Letter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec LetterSpec `json:"spec"`
}

// LetterSpec is what is wanted.
type LetterSpec struct {
	To string `json:"to"`
}

// LetterList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type LetterList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Letter `json:"items"`
}

// Telegram cannot be watched.
//
// +genclient
// +genclient:skipVerbs=watch
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Telegram struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec TelegramSpec `json:"spec"`
}

// TelegramSpec is what is wanted.
type TelegramSpec struct {
	To string `json:"to"`
}

// TelegramList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type TelegramList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Telegram `json:"items"`
}

// Whisper can be made, and not asked for.
//
// +genclient
// +genclient:onlyVerbs=create
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Whisper struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WhisperSpec `json:"spec"`
}

// WhisperSpec is what is wanted.
type WhisperSpec struct {
	To string `json:"to"`
}
