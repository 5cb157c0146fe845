package transport

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
)

// Config says how a transport reaches a server and how it identifies the client. New and
// the other functions of this package may fill the Data fields of TLS from its files and
// set its Reload fields; otherwise they leave it alone, and keep no reference to it.
type Config struct {
	// UserAgent is set in requests that bear none.
	UserAgent string

	// TLS says how connections are secured.
	TLS TLSConfig

	// Username and Password for basic authentication.
	Username string
	Password string `datapolicy:"password"`

	// BearerToken for bearer authentication.
	BearerToken string `datapolicy:"token"`

	// BearerTokenFile is a file with a bearer token. It is read again from time to time;
	// what was last read goes before BearerToken.
	BearerTokenFile string

	// Impersonate is who to act as.
	Impersonate ImpersonationConfig

	// DisableCompression asks servers not to compress their answers.
	DisableCompression bool

	// Transport replaces the transport that TLS, DialHolder and Proxy describe; TLS must
	// not ask for certificates or Insecure then.
	Transport http.RoundTripper

	// WrapTransport wraps the transport before this package adds what it adds. Use Wrap
	// to add to it.
	WrapTransport WrapperFunc

	// DialHolder opens connections, before TLS. Configs share connections only where they
	// have the same holder.
	DialHolder *DialHolder

	// Proxy returns the proxy for a request, or nil for none. Where it is nil the
	// environment decides (http.ProxyFromEnvironment). Configs with a Proxy share no
	// connections, since functions cannot be compared.
	Proxy func(*http.Request) (*url.URL, error)
}

// DialHolder holds a dial function behind a pointer, so that it can be compared.
type DialHolder struct {
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// ImpersonationConfig is who to act as.
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

// TLSConfig says how connections are secured.
type TLSConfig struct {
	CAFile         string // Path of root certificates in PEM.
	CertFile       string // Path of the client's certificate in PEM.
	KeyFile        string // Path of its key in PEM.
	ReloadTLSFiles bool   // CertFile and KeyFile are read again; set where they are all there is.
	ReloadCAFiles  bool   // CAFile is read again; set where it is all there is.

	Insecure   bool   // The server's certificate is not checked. For tests only.
	ServerName string // The name in the server's certificate, where it is not that of the URL.

	CAData   []byte // Root certificates in PEM; they go before CAFile.
	CertData []byte // The client's certificate in PEM; it goes before CertFile.
	KeyData  []byte // Its key in PEM; it goes before KeyFile.

	// NextProtos are the application protocols to offer, the preferred first: "h2",
	// "http/1.1". Only "http/1.1" turns HTTP/2 off; empty offers both.
	NextProtos []string

	// GetCertHolder returns the client's certificate where neither data nor files do.
	// Configs share connections only where they have the same holder.
	GetCertHolder *GetCertHolder
}

// GetCertHolder holds a function behind a pointer, so that it can be compared. GetCert
// is called for each connection and may return nil: no certificate.
type GetCertHolder struct {
	GetCert func() (*tls.Certificate, error)
}

// HasCA tells whether root certificates are given.
func (c *Config) HasCA() bool {
	return len(c.TLS.CAData) > 0 || c.TLS.CAFile != ""
}

// HasBasicAuth tells whether basic authentication is asked for.
func (c *Config) HasBasicAuth() bool {
	return c.Username != ""
}

// HasTokenAuth tells whether bearer authentication is asked for.
func (c *Config) HasTokenAuth() bool {
	return c.BearerToken != "" || c.BearerTokenFile != ""
}

// HasCertAuth tells whether a client certificate and its key are given.
func (c *Config) HasCertAuth() bool {
	return (len(c.TLS.CertData) > 0 || c.TLS.CertFile != "") && (len(c.TLS.KeyData) > 0 || c.TLS.KeyFile != "")
}

// HasCertCallback tells whether client certificates come from a function.
func (c *Config) HasCertCallback() bool {
	return c.TLS.GetCertHolder != nil
}

// Wrap adds fn around what WrapTransport wraps so far.
func (c *Config) Wrap(fn WrapperFunc) {
	c.WrapTransport = Wrappers(c.WrapTransport, fn)
}
