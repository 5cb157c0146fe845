package v1beta1

import (
	"fmt"
	"log/slog"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/listwatch/listwatch/runtime/clientauthentication/v1"
	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// ExecCredential is what a client passes to a program, and what the program returns.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ExecCredential struct {
	metav1.TypeMeta `json:""`

	// Spec is the client's part.
	Spec ExecCredentialSpec `json:"spec,omitempty"`

	// Status is the program's part: the credentials.
	// +optional
	Status *ExecCredentialStatus `json:"status,omitempty"`
}

// The parts of an ExecCredential are those of v1.
type (
	// ExecCredentialSpec is the client's part of an ExecCredential.
	ExecCredentialSpec = v1.ExecCredentialSpec
	// ExecCredentialStatus contains the credentials: a token, a certificate with its key, or both.
	ExecCredentialStatus = v1.ExecCredentialStatus
	// Cluster describes the server that the credentials are for.
	Cluster = v1.Cluster
)

// String returns c without its credentials.
func (c ExecCredential) String() string {
	return secret.As("v1beta1.ExecCredential", v1.ExecCredential(c))
}

// GoString returns the same as String.
func (c ExecCredential) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c ExecCredential) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c ExecCredential) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalLog returns the same as String.
func (c ExecCredential) MarshalLog() any { return c.String() }
