package clientauthentication

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// ExecCredential is what a client passes to a program, and what the program returns.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type ExecCredential struct {
	metav1.TypeMeta

	// Spec is the client's part.
	Spec ExecCredentialSpec

	// Status is the program's part: the credentials.
	// +optional
	Status *ExecCredentialStatus
}

// ExecCredentialSpec is the client's part of an ExecCredential.
type ExecCredentialSpec struct {
	// Interactive reports whether standard input was passed to the program.
	// +optional
	Interactive bool

	// Cluster describes the server. It is only present if ExecConfig.ProvideClusterInfo is set.
	// +optional
	Cluster *Cluster
}

// ExecCredentialStatus contains the credentials: a token, a certificate with its key, or both.
type ExecCredentialStatus struct {
	// ExpirationTimestamp is when the credentials expire. Nil means when the server rejects them.
	// +optional
	ExpirationTimestamp *metav1.Time
	// Token is a bearer token.
	// +optional
	Token string `datapolicy:"token"`
	// ClientCertificateData is a certificate in PEM.
	// +optional
	ClientCertificateData string
	// ClientKeyData is its key in PEM.
	// +optional
	ClientKeyData string `datapolicy:"secret-key"`
}

// Cluster describes the server that the credentials are for.
type Cluster struct {
	// Server is the base URL (https://host:port).
	Server string
	// TLSServerName is the name in the server's certificate if it differs from Server.
	// +optional
	TLSServerName string
	// InsecureSkipTLSVerify skips verification of the server's certificate.
	// +optional
	InsecureSkipTLSVerify bool
	// CertificateAuthorityData contains root certificates in PEM. Empty means the system's.
	// +optional
	CertificateAuthorityData []byte
	// ProxyURL is the proxy for all requests to the server.
	// +optional
	ProxyURL string
	// DisableCompression requests uncompressed responses.
	// +optional
	DisableCompression bool
	// Config is the program's configuration in the cluster's entry of the kubeconfig: its extension
	// client.authentication.k8s.io/exec.
	// +optional
	Config runtime.Object
}
