package rest

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/flowcontrol"
	"github.com/listwatch/listwatch/runtime/internal/pemfile"
	"github.com/listwatch/listwatch/runtime/transport"
)

// Config describes how a client reaches a server, how it identifies itself, and how it behaves. It is data:
// functions that take a Config do not modify it unless they say so, and a client is not affected by changes
// made after it was created.
//
// The methods of a Config that fmt, loggers and encoders call omit the credentials. Do not log structs that
// contain one: the section Credentials of the package documentation lists the printers that read the fields
// instead.
type Config struct {
	// Host is a host, a host:port pair, or the URL of the server's root, whose path is the prefix of every
	// request's path. Empty means localhost.
	Host string
	// APIPath is the root path of the API: "/api" or "/apis".
	APIPath string

	// ContentConfig configures the formats of requests and responses.
	ContentConfig

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

	// AuthProvider names a plugin registered by RegisterAuthProviderPlugin.
	AuthProvider *api.AuthProviderConfig

	// AuthConfigPersister stores the configuration of that plugin.
	AuthConfigPersister AuthProviderConfigPersister

	// ExecProvider names a program that prints credentials.
	ExecProvider *api.ExecConfig

	// TLSClientConfig configures the security of connections.
	TLSClientConfig

	// UserAgent is the user agent of every request; see DefaultKubernetesUserAgent.
	UserAgent string

	// DisableCompression requests uncompressed responses.
	DisableCompression bool

	// Transport replaces the transport that is created from TLSClientConfig, Dial and Proxy; if it is set,
	// TLSClientConfig must not configure certificates or Insecure.
	Transport http.RoundTripper
	// WrapTransport wraps the transport, inside of authentication and similar wrappers. Use Wrap to add to it.
	WrapTransport transport.WrapperFunc

	// QPS limits the requests per second that a client sends. Zero or less means no limit (client-go: 5 for
	// zero): the server has its own limits and reports them.
	QPS float32

	// Burst is the number of requests that may exceed QPS at once. Zero means DefaultBurst. Setting it without
	// QPS is an error unless there is a RateLimiter: client-go would limit such a client to 5 requests per
	// second.
	Burst int

	// RateLimiter takes precedence over QPS and Burst.
	RateLimiter flowcontrol.RateLimiter

	// WarningHandler handles warnings in responses; SetDefaultWarningHandler sets the handler that is used if
	// neither this nor WarningHandlerWithContext is set.
	WarningHandler WarningHandler

	// WarningHandlerWithContext takes precedence over WarningHandler.
	WarningHandlerWithContext WarningHandlerWithContext

	// Timeout limits a whole request including its response; zero means no limit. It ends watches too.
	Timeout time.Duration

	// Dial opens connections, before TLS.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Proxy returns the proxy for a request, or nil for none. If Proxy is nil, the environment decides
	// (http.ProxyFromEnvironment).
	Proxy func(*http.Request) (*url.URL, error)
}

// ImpersonationConfig is the user to act as. Its methods print it without the values of Extra, see [Config].
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

// TLSClientConfig configures the security of connections. Its methods print it without its key, see [Config].
type TLSClientConfig struct {
	// Insecure skips verification of the server's certificate. For tests only.
	Insecure bool
	// ServerName is the name in the server's certificate if it differs from the host.
	ServerName string

	// CertFile is the path of the client's certificate in PEM. Together with KeyFile, and without data, it is
	// reloaded when it changes.
	CertFile string
	// KeyFile is the path of its key in PEM.
	KeyFile string
	// CAFile is the path of root certificates in PEM. Without CAData it is reloaded when it changes.
	CAFile string

	// CertData is the client's certificate in PEM; it takes precedence over CertFile.
	CertData []byte
	// KeyData is its key in PEM; it takes precedence over KeyFile.
	KeyData []byte `datapolicy:"security-key"`
	// CAData contains root certificates in PEM; it takes precedence over CAFile.
	CAData []byte

	// NextProtos are the offered application protocols by preference: "h2", "http/1.1". Only "http/1.1"
	// disables HTTP/2; empty offers both.
	NextProtos []string
}

// ContentConfig configures the formats of requests and responses.
type ContentConfig struct {
	// AcceptContentTypes is the Accept header; empty means ContentType.
	AcceptContentTypes string
	// ContentType is the media type of sent objects; empty means application/json.
	ContentType string
	// GroupVersion is the version of the API that a client talks to.
	GroupVersion *schema.GroupVersion
	// NegotiatedSerializer provides encoders and decoders by media type.
	NegotiatedSerializer runtime.NegotiatedSerializer
}

// Wrap adds fn around the current WrapTransport.
func (c *Config) Wrap(fn transport.WrapperFunc) {
	c.WrapTransport = transport.Wrappers(c.WrapTransport, fn)
}

// CopyConfig returns a copy of config. The copy shares with it only functions, interfaces, and the data of
// certificates, which must not be modified.
func CopyConfig(config *Config) *Config {
	c := *config
	c.ContentConfig = copyContentConfig(config.ContentConfig)
	c.Impersonate = copyImpersonation(config.Impersonate)
	c.NextProtos = append([]string(nil), config.NextProtos...)
	c.AuthProvider = config.AuthProvider.DeepCopy()
	c.ExecProvider = config.ExecProvider.DeepCopy()
	return &c
}

// AnonymousClientConfig returns a copy of config without the client's identity: certificate, token, password,
// impersonation, plugins, and the functions that may add any of these (Transport, WrapTransport).
func AnonymousClientConfig(config *Config) *Config {
	return &Config{
		Host:          config.Host,
		APIPath:       config.APIPath,
		ContentConfig: copyContentConfig(config.ContentConfig),
		TLSClientConfig: TLSClientConfig{
			Insecure:   config.Insecure,
			ServerName: config.ServerName,
			CAFile:     config.CAFile,
			CAData:     config.CAData,
			NextProtos: append([]string(nil), config.NextProtos...),
		},
		RateLimiter:               config.RateLimiter,
		WarningHandler:            config.WarningHandler,
		WarningHandlerWithContext: config.WarningHandlerWithContext,
		UserAgent:                 config.UserAgent,
		DisableCompression:        config.DisableCompression,
		QPS:                       config.QPS,
		Burst:                     config.Burst,
		Timeout:                   config.Timeout,
		Dial:                      config.Dial,
		Proxy:                     config.Proxy,
	}
}

func copyContentConfig(c ContentConfig) ContentConfig {
	if c.GroupVersion != nil {
		gv := *c.GroupVersion
		c.GroupVersion = &gv
	}
	return c
}

func copyImpersonation(c ImpersonationConfig) ImpersonationConfig {
	c.Groups = append([]string(nil), c.Groups...)
	if c.Extra != nil {
		extra := make(map[string][]string, len(c.Extra))
		for key, values := range c.Extra {
			extra[key] = append([]string(nil), values...)
		}
		c.Extra = extra
	}
	return c
}

// LoadTLSFiles sets CAData, CertData and KeyData of c from the files, if the data is empty and a file is
// configured.
func LoadTLSFiles(c *Config) error {
	return pemfile.Load(
		pemfile.Source{Data: &c.CAData, File: c.CAFile},
		pemfile.Source{Data: &c.CertData, File: c.CertFile},
		pemfile.Source{Data: &c.KeyData, File: c.KeyFile},
	)
}
