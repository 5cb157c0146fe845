package v1

import "k8s.io/apimachinery/pkg/runtime"

// Config is a kubeconfig file.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Config struct {
	// Kind is "Config", or empty.
	// +optional
	Kind string `json:"kind,omitempty"`
	// APIVersion is "v1", or empty.
	// +optional
	APIVersion string `json:"apiVersion,omitempty"`
	// Preferences are unused.
	//
	// Deprecated: no component of Kubernetes reads them.
	Preferences Preferences `json:"preferences,omitzero"`
	// Clusters are the servers. Names are unique.
	Clusters []NamedCluster `json:"clusters"`
	// AuthInfos are the users. Names are unique.
	AuthInfos []NamedAuthInfo `json:"users"`
	// Contexts refer to clusters and users. Names are unique.
	Contexts []NamedContext `json:"contexts"`
	// CurrentContext is the name of the context in use.
	CurrentContext string `json:"current-context"`
	// Extensions contains the data of other tools in the file.
	// +optional
	Extensions []NamedExtension `json:"extensions,omitempty"`
}

// Preferences are unused.
//
// Deprecated: no component of Kubernetes reads them.
type Preferences struct {
	// +optional
	Colors bool `json:"colors,omitempty"`
	// Extensions contains the data of other tools in the file.
	// +optional
	Extensions []NamedExtension `json:"extensions,omitempty"`
}

// Cluster describes how to reach a server.
type Cluster struct {
	// Server is the base URL (https://host:port).
	Server string `json:"server"`
	// TLSServerName is the name in the server's certificate if it differs from Server.
	// +optional
	TLSServerName string `json:"tls-server-name,omitempty"`
	// InsecureSkipTLSVerify skips verification of the server's certificate.
	// +optional
	InsecureSkipTLSVerify bool `json:"insecure-skip-tls-verify,omitempty"`
	// CertificateAuthority is the path of a PEM file of root certificates.
	// +optional
	CertificateAuthority string `json:"certificate-authority,omitempty"`
	// CertificateAuthorityData contains root certificates in PEM; it takes precedence over the file.
	// +optional
	CertificateAuthorityData []byte `json:"certificate-authority-data,omitempty"`
	// ProxyURL is the proxy for all requests to the server (http, https or socks5). Without it the
	// environment's http_proxy and https_proxy apply.
	// +optional
	ProxyURL string `json:"proxy-url,omitempty"`
	// DisableCompression requests uncompressed responses.
	// +optional
	DisableCompression bool `json:"disable-compression,omitempty"`
	// Extensions contains the data of other tools in the file, and under the name
	// client.authentication.k8s.io/exec the configuration of exec plugins for this cluster.
	// +optional
	Extensions []NamedExtension `json:"extensions,omitempty"`
}

// AuthInfo describes how the client authenticates.
type AuthInfo struct {
	// ClientCertificate is the path of a PEM file.
	// +optional
	ClientCertificate string `json:"client-certificate,omitempty"`
	// ClientCertificateData is a certificate in PEM; it takes precedence over the file.
	// +optional
	ClientCertificateData []byte `json:"client-certificate-data,omitempty"`
	// ClientKey is the path of a PEM file.
	// +optional
	ClientKey string `json:"client-key,omitempty"`
	// ClientKeyData is the certificate's key in PEM; it takes precedence over the file.
	// +optional
	ClientKeyData []byte `json:"client-key-data,omitempty" datapolicy:"security-key"`
	// Token is a bearer token.
	// +optional
	Token string `json:"token,omitempty" datapolicy:"token"`
	// TokenFile is a file with a bearer token, which is reloaded periodically. The last token that was read
	// takes precedence over Token.
	// +optional
	TokenFile string `json:"tokenFile,omitempty"`
	// Impersonate is the name of the user to act as.
	// +optional
	Impersonate string `json:"as,omitempty"`
	// ImpersonateUID is the UID to act as.
	// +optional
	ImpersonateUID string `json:"as-uid,omitempty"`
	// ImpersonateGroups are the groups to act as.
	// +optional
	ImpersonateGroups []string `json:"as-groups,omitempty"`
	// ImpersonateUserExtra is further information about the user to act as.
	// +optional
	ImpersonateUserExtra map[string][]string `json:"as-user-extra,omitempty"`
	// Username for basic authentication.
	// +optional
	Username string `json:"username,omitempty"`
	// Password for basic authentication.
	// +optional
	Password string `json:"password,omitempty" datapolicy:"password"`
	// AuthProvider configures a plugin that is linked into the process.
	// +optional
	AuthProvider *AuthProviderConfig `json:"auth-provider,omitempty"`
	// Exec configures a program that prints credentials.
	// +optional
	Exec *ExecConfig `json:"exec,omitempty"`
	// Extensions contains the data of other tools in the file.
	// +optional
	Extensions []NamedExtension `json:"extensions,omitempty"`
}

// Context is a cluster, a user and a namespace under one name.
type Context struct {
	// Cluster is the name of the cluster.
	Cluster string `json:"cluster"`
	// AuthInfo is the name of the user.
	AuthInfo string `json:"user"`
	// Namespace is the default namespace of requests.
	// +optional
	Namespace string `json:"namespace,omitempty"`
	// Extensions contains the data of other tools in the file.
	// +optional
	Extensions []NamedExtension `json:"extensions,omitempty"`
}

// NamedCluster is a Cluster and its name.
type NamedCluster struct {
	Name    string  `json:"name"`
	Cluster Cluster `json:"cluster"`
}

// NamedContext is a Context and its name.
type NamedContext struct {
	Name    string  `json:"name"`
	Context Context `json:"context"`
}

// NamedAuthInfo is an AuthInfo and its name.
type NamedAuthInfo struct {
	Name     string   `json:"name"`
	AuthInfo AuthInfo `json:"user"`
}

// NamedExtension is the data of another tool and its name.
type NamedExtension struct {
	Name      string               `json:"name"`
	Extension runtime.RawExtension `json:"extension"`
}

// AuthProviderConfig configures a plugin that is linked into the process.
type AuthProviderConfig struct {
	Name   string            `json:"name"`
	Config map[string]string `json:"config"`
}

// ExecConfig configures a program that prints credentials, as specified by the API group
// client.authentication.k8s.io.
type ExecConfig struct {
	// Command is the program: a path, or a name looked up in PATH.
	Command string `json:"command"`
	// Args are its arguments.
	// +optional
	Args []string `json:"args"`
	// Env is added to the environment of the process when the program is run.
	// +optional
	Env []ExecEnvVar `json:"env"`

	// APIVersion is the version of ExecCredential that the program receives and must return.
	APIVersion string `json:"apiVersion,omitempty"`

	// InstallHint is shown to the user when the program is not found.
	InstallHint string `json:"installHint,omitempty"`

	// ProvideClusterInfo passes the cluster, with its CA data, to the program in the environment variable
	// KUBERNETES_EXEC_INFO.
	ProvideClusterInfo bool `json:"provideClusterInfo"`

	// InteractiveMode is whether the program reads standard input. It is required, except in
	// client.authentication.k8s.io/v1beta1 and v1alpha1, where the default is IfAvailable.
	// +optional
	InteractiveMode ExecInteractiveMode `json:"interactiveMode,omitempty"`
}

// ExecEnvVar is a variable in the environment of a program.
type ExecEnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ExecInteractiveMode is a program's use of standard input.
type ExecInteractiveMode string

const (
	// NeverExecInteractiveMode is for a program that does not read standard input.
	NeverExecInteractiveMode ExecInteractiveMode = "Never"
	// IfAvailableExecInteractiveMode is for a program that reads standard input if it is available, and does
	// not require it.
	IfAvailableExecInteractiveMode ExecInteractiveMode = "IfAvailable"
	// AlwaysExecInteractiveMode is for a program that requires standard input.
	AlwaysExecInteractiveMode ExecInteractiveMode = "Always"
)
