package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Backup is a backup of a database that is repeated.
//
// +genclient
// +genclient:noStatus
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:storageversion
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BackupSpec `json:"spec"`
}

// BackupSpec is what users request.
type BackupSpec struct {
	// Database is the name of the database.
	//
	// +kubebuilder:validation:MinLength=1
	Database string `json:"database"`
	// Keep is how long a backup is kept.
	Keep metav1.Duration `json:"keep"`
}

// BackupList is a list of backups.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type BackupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Backup `json:"items"`
}
