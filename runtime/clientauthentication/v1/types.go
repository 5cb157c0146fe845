package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
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

// ExecCredentialSpec is the client's part of an ExecCredential.
type ExecCredentialSpec struct {
	// Cluster describes the server. It is only present if ExecConfig.ProvideClusterInfo is set.
	// +optional
	Cluster *Cluster `json:"cluster,omitempty"`

	// Interactive reports whether standard input was passed to the program.
	Interactive bool `json:"interactive"`
}

// ExecCredentialStatus contains the credentials: a token, a certificate with its key, or both.
type ExecCredentialStatus struct {
	// ExpirationTimestamp is when the credentials expire. Nil means when the server rejects them.
	// +optional
	ExpirationTimestamp *metav1.Time `json:"expirationTimestamp,omitempty"`
	// Token is a bearer token.
	Token string `json:"token,omitempty" datapolicy:"token"`
	// ClientCertificateData is a certificate in PEM.
	ClientCertificateData string `json:"clientCertificateData,omitempty"`
	// ClientKeyData is its key in PEM.
	ClientKeyData string `json:"clientKeyData,omitempty" datapolicy:"security-key"`
}

// Cluster describes the server that the credentials are for.
type Cluster struct {
	// Server is the base URL (https://host:port).
	Server string `json:"server"`
	// TLSServerName is the name in the server's certificate if it differs from Server.
	// +optional
	TLSServerName string `json:"tls-server-name,omitempty"`
	// InsecureSkipTLSVerify skips verification of the server's certificate.
	// +optional
	InsecureSkipTLSVerify bool `json:"insecure-skip-tls-verify,omitempty"`
	// CertificateAuthorityData contains root certificates in PEM. Empty means the system's.
	// +optional
	CertificateAuthorityData []byte `json:"certificate-authority-data,omitempty"`
	// ProxyURL is the proxy for all requests to the server.
	// +optional
	ProxyURL string `json:"proxy-url,omitempty"`
	// DisableCompression requests uncompressed responses.
	// +optional
	DisableCompression bool `json:"disable-compression,omitempty"`
	// Config is the program's configuration in the cluster's entry of the kubeconfig: its extension
	// client.authentication.k8s.io/exec.
	// +optional
	Config runtime.RawExtension `json:"config,omitempty"`
}
