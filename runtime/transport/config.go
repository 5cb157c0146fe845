package transport

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
)

// Config describes how a transport reaches a server and how it identifies the client. New and the other
// functions of this package may set the Data fields of TLS from its files and its Reload fields; otherwise they
// do not modify it, and retain no reference to it.
type Config struct {
	// UserAgent is set in requests without one.
	UserAgent string

	// TLS configures the security of connections.
	TLS TLSConfig

	// Username and Password for basic authentication.
	Username string
	Password string `datapolicy:"password"`

	// BearerToken for bearer authentication.
	BearerToken string `datapolicy:"token"`

	// BearerTokenFile is a file with a bearer token, which is reloaded periodically. The last token that was
	// read takes precedence over BearerToken.
	BearerTokenFile string

	// Impersonate is the user to act as.
	Impersonate ImpersonationConfig

	// DisableCompression requests uncompressed responses.
	DisableCompression bool

	// Transport replaces the transport that TLS, DialHolder and Proxy describe; if it is set, TLS must not
	// configure certificates or Insecure.
	Transport http.RoundTripper

	// WrapTransport wraps the transport, inside of this package's wrappers. Use Wrap to add to it.
	WrapTransport WrapperFunc

	// DialHolder opens connections, before TLS. Configs share connections only if they have the same holder.
	DialHolder *DialHolder

	// Proxy returns the proxy for a request, or nil for none. If Proxy is nil, the environment decides
	// (http.ProxyFromEnvironment). Configs with a Proxy share no connections, since functions cannot be
	// compared.
	Proxy func(*http.Request) (*url.URL, error)
}

// DialHolder refers to a dial function by a pointer, which can be compared.
type DialHolder struct {
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// ImpersonationConfig is the user to act as.
type ImpersonationConfig struct {
	// UserName is the name of the user.
	UserName string
	// UID is the user's UID.
	UID string
	// Groups are the user's groups.
	Groups []string
	// Extra is further information about the user.
	Extra map[string][]string
}

// TLSConfig configures the security of connections.
type TLSConfig struct {
	CAFile         string // Path of root certificates in PEM.
	CertFile       string // Path of the client's certificate in PEM.
	KeyFile        string // Path of its key in PEM.
	ReloadTLSFiles bool   // Reload CertFile and KeyFile; set if there is no data for them.
	ReloadCAFiles  bool   // Reload CAFile; set if there is no CAData.

	Insecure   bool   // Skip verification of the server's certificate. For tests only.
	ServerName string // The name in the server's certificate if it differs from the URL's host.

	CAData   []byte // Root certificates in PEM; they take precedence over CAFile.
	CertData []byte // The client's certificate in PEM; it takes precedence over CertFile.
	KeyData  []byte // Its key in PEM; it takes precedence over KeyFile.

	// NextProtos are the offered application protocols by preference: "h2", "http/1.1". Only "http/1.1"
	// disables HTTP/2; empty offers both.
	NextProtos []string

	// GetCertHolder returns the client's certificate if neither data nor files do. Configs share connections
	// only if they have the same holder.
	GetCertHolder *GetCertHolder
}

// GetCertHolder refers to a function by a pointer, which can be compared. GetCert is called for each connection
// and may return nil: no certificate.
type GetCertHolder struct {
	GetCert func() (*tls.Certificate, error)
}

// HasCA reports whether root certificates are configured.
func (c *Config) HasCA() bool {
	return len(c.TLS.CAData) > 0 || c.TLS.CAFile != ""
}

// HasBasicAuth reports whether basic authentication is configured.
func (c *Config) HasBasicAuth() bool {
	return c.Username != ""
}

// HasTokenAuth reports whether bearer authentication is configured.
func (c *Config) HasTokenAuth() bool {
	return c.BearerToken != "" || c.BearerTokenFile != ""
}

// HasCertAuth reports whether a client certificate and its key are configured.
func (c *Config) HasCertAuth() bool {
	return (len(c.TLS.CertData) > 0 || c.TLS.CertFile != "") && (len(c.TLS.KeyData) > 0 || c.TLS.KeyFile != "")
}

// HasCertCallback reports whether client certificates come from a function.
func (c *Config) HasCertCallback() bool {
	return c.TLS.GetCertHolder != nil
}

// Wrap adds fn around the current WrapTransport.
func (c *Config) Wrap(fn WrapperFunc) {
	c.WrapTransport = Wrappers(c.WrapTransport, fn)
}
