package api

import "k8s.io/apimachinery/pkg/runtime"

// Config is what a kubeconfig file says, or several of them merged.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Config struct {
	// Kind is the kind in the file.
	// +optional
	Kind string `json:"kind,omitempty"`
	// APIVersion is the version in the file.
	// +optional
	APIVersion string `json:"apiVersion,omitempty"`
	// Preferences are unused.
	//
	// Deprecated: no component of Kubernetes reads them.
	Preferences Preferences `json:"preferences,omitzero"`
	// Clusters by name.
	Clusters map[string]*Cluster `json:"clusters"`
	// AuthInfos are the users by name.
	AuthInfos map[string]*AuthInfo `json:"users"`
	// Contexts by name.
	Contexts map[string]*Context `json:"contexts"`
	// CurrentContext is the name of the context in use.
	CurrentContext string `json:"current-context"`
	// Extensions contains the data of other tools in the file.
	// +optional
	Extensions map[string]runtime.Object `json:"extensions,omitempty"`
}

// Preferences are unused.
//
// Deprecated: no component of Kubernetes reads them.
type Preferences struct {
	// +optional
	Colors bool `json:"colors,omitempty"`
	// Extensions contains the data of other tools in the file.
	// +optional
	Extensions map[string]runtime.Object `json:"extensions,omitempty"`
}

// Cluster describes how to reach a server.
type Cluster struct {
	// LocationOfOrigin is the file that this was read from. It is never written.
	LocationOfOrigin string `json:"-"`
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
	// ProxyURL is the proxy for all requests to the server (http, https or socks5). Without
	// it the environment's http_proxy and https_proxy count.
	// +optional
	ProxyURL string `json:"proxy-url,omitempty"`
	// DisableCompression requests uncompressed responses.
	// +optional
	DisableCompression bool `json:"disable-compression,omitempty"`
	// Extensions contains the data of other tools in the file.
	// +optional
	Extensions map[string]runtime.Object `json:"extensions,omitempty"`
}

// AuthInfo describes how the client authenticates.
type AuthInfo struct {
	// LocationOfOrigin is the file that this was read from. It is never written.
	LocationOfOrigin string `json:"-"`
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
	Impersonate string `json:"act-as,omitempty"`
	// ImpersonateUID is the UID to act as.
	// +optional
	ImpersonateUID string `json:"act-as-uid,omitempty"`
	// ImpersonateGroups are the groups to act as.
	// +optional
	ImpersonateGroups []string `json:"act-as-groups,omitempty"`
	// ImpersonateUserExtra is further information about the user to act as.
	// +optional
	ImpersonateUserExtra map[string][]string `json:"act-as-user-extra,omitempty"`
	// Username for basic authentication.
	// +optional
	Username string `json:"username,omitempty"`
	// Password for basic authentication.
	// +optional
	Password string `json:"password,omitempty" datapolicy:"password"`
	// AuthProvider names a plugin that is linked into this process.
	// +optional
	AuthProvider *AuthProviderConfig `json:"auth-provider,omitempty"`
	// Exec names a plugin that is run.
	// +optional
	Exec *ExecConfig `json:"exec,omitempty"`
	// Extensions contains the data of other tools in the file.
	// +optional
	Extensions map[string]runtime.Object `json:"extensions,omitempty"`
}

// Context is a cluster, a user and a namespace under one name.
type Context struct {
	// LocationOfOrigin is the file that this was read from. It is never written.
	LocationOfOrigin string `json:"-"`
	// Cluster is the name of the cluster.
	Cluster string `json:"cluster"`
	// AuthInfo is the name of the user.
	AuthInfo string `json:"user"`
	// Namespace is the default namespace of requests.
	// +optional
	Namespace string `json:"namespace,omitempty"`
	// Extensions contains the data of other tools in the file.
	// +optional
	Extensions map[string]runtime.Object `json:"extensions,omitempty"`
}

// AuthProviderConfig configures a plugin that is linked into this process.
type AuthProviderConfig struct {
	Name string `json:"name"`
	// +optional
	Config map[string]string `json:"config,omitempty"`
}

// NewConfig returns a Config with empty maps.
func NewConfig() *Config {
	return &Config{
		Clusters:   map[string]*Cluster{},
		AuthInfos:  map[string]*AuthInfo{},
		Contexts:   map[string]*Context{},
		Extensions: map[string]runtime.Object{},
	}
}

// NewContext returns a Context with empty maps.
func NewContext() *Context {
	return &Context{Extensions: map[string]runtime.Object{}}
}

// NewCluster returns a Cluster with empty maps.
func NewCluster() *Cluster {
	return &Cluster{Extensions: map[string]runtime.Object{}}
}

// NewAuthInfo returns an AuthInfo with empty maps.
func NewAuthInfo() *AuthInfo {
	return &AuthInfo{
		Extensions:           map[string]runtime.Object{},
		ImpersonateUserExtra: map[string][]string{},
	}
}

// NewPreferences returns Preferences with an empty map.
//
// Deprecated: no component of Kubernetes reads them.
func NewPreferences() *Preferences {
	return &Preferences{Extensions: map[string]runtime.Object{}}
}
