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

// Config says how a client reaches a server, how it identifies itself, and how it behaves.
// It is data: functions that take one do not change it unless they say so, and a client does
// not see changes that are made after it was built.
//
// Printed by its methods, as fmt, loggers and encoders do, it is without its credentials. Do not log structs that
// hold one: the package's documentation says under Credentials which printers read the fields instead.
type Config struct {
	// Host is a host, a host:port pair, or the URL of the server's root, whose path goes
	// before the path of every request. Empty means localhost.
	Host string
	// APIPath is the path of an API's root: "/api" or "/apis".
	APIPath string

	// ContentConfig says what is sent and accepted.
	ContentConfig

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

	// AuthProvider names a plugin registered by RegisterAuthProviderPlugin.
	AuthProvider *api.AuthProviderConfig

	// AuthConfigPersister keeps what that plugin wants to be kept.
	AuthConfigPersister AuthProviderConfigPersister

	// ExecProvider names a program that prints credentials.
	ExecProvider *api.ExecConfig

	// TLSClientConfig says how connections are secured.
	TLSClientConfig

	// UserAgent is set in every request; see DefaultKubernetesUserAgent.
	UserAgent string

	// DisableCompression asks the server not to compress its answers.
	DisableCompression bool

	// Transport replaces the transport that is made from TLSClientConfig, Dial and Proxy;
	// TLSClientConfig must not ask for certificates or Insecure then.
	Transport http.RoundTripper
	// WrapTransport wraps the transport before authentication and the like are added. Use
	// Wrap to add to it.
	WrapTransport transport.WrapperFunc

	// QPS limits the requests per second that a client sends, where it is above zero. Zero and less
	// mean no limit (client-go: 5 for zero): the server has limits of its own, and says so.
	QPS float32

	// Burst is how many requests may go at once under QPS. Zero means DefaultBurst. Without QPS it is an
	// error, unless there is a RateLimiter: client-go would limit such a client to 5 requests per second.
	Burst int

	// RateLimiter goes before QPS and Burst.
	RateLimiter flowcontrol.RateLimiter

	// WarningHandler handles the warnings in answers; see SetDefaultWarningHandler for
	// what does where neither this nor WarningHandlerWithContext is set.
	WarningHandler WarningHandler

	// WarningHandlerWithContext goes before WarningHandler.
	WarningHandlerWithContext WarningHandlerWithContext

	// Timeout is for a whole request with its answer; zero means none. It ends watches, too.
	Timeout time.Duration

	// Dial opens connections, before TLS.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Proxy returns the proxy for a request, or nil for none. Where it is nil the
	// environment decides (http.ProxyFromEnvironment).
	Proxy func(*http.Request) (*url.URL, error)
}

// ImpersonationConfig is who to act as. It is printed without the values of Extra, as [Config] is.
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

// TLSClientConfig says how connections are secured. It is printed without its key, as [Config] is.
type TLSClientConfig struct {
	// Insecure leaves the server's certificate unchecked. For tests only.
	Insecure bool
	// ServerName is the name in the server's certificate, where it is not that of the host.
	ServerName string

	// CertFile is the path of the client's certificate in PEM. With KeyFile, and without
	// data, it is read again when it changes.
	CertFile string
	// KeyFile is the path of its key in PEM.
	KeyFile string
	// CAFile is the path of root certificates in PEM. Without CAData it is read again
	// when it changes.
	CAFile string

	// CertData is the client's certificate in PEM; it goes before CertFile.
	CertData []byte
	// KeyData is its key in PEM; it goes before KeyFile.
	KeyData []byte `datapolicy:"security-key"`
	// CAData has root certificates in PEM; it goes before CAFile.
	CAData []byte

	// NextProtos are the application protocols to offer, the preferred first: "h2",
	// "http/1.1". Only "http/1.1" turns HTTP/2 off; empty offers both.
	NextProtos []string
}

// ContentConfig says what is sent and accepted.
type ContentConfig struct {
	// AcceptContentTypes is the header Accept; empty means ContentType.
	AcceptContentTypes string
	// ContentType is the media type of what is sent; empty means application/json.
	ContentType string
	// GroupVersion is the version of the API that a client talks to.
	GroupVersion *schema.GroupVersion
	// NegotiatedSerializer has encoders and decoders by media type.
	NegotiatedSerializer runtime.NegotiatedSerializer
}

// Wrap adds fn around what WrapTransport wraps so far.
func (c *Config) Wrap(fn transport.WrapperFunc) {
	c.WrapTransport = transport.Wrappers(c.WrapTransport, fn)
}

// CopyConfig returns a copy of config that shares nothing with it that can be changed but
// what cannot be copied: functions, interfaces, and the data of certificates, which nobody
// writes to.
func CopyConfig(config *Config) *Config {
	c := *config
	c.ContentConfig = copyContentConfig(config.ContentConfig)
	c.Impersonate = copyImpersonation(config.Impersonate)
	c.NextProtos = append([]string(nil), config.NextProtos...)
	c.AuthProvider = config.AuthProvider.DeepCopy()
	c.ExecProvider = config.ExecProvider.DeepCopy()
	return &c
}

// AnonymousClientConfig returns a copy of config without what identifies the client:
// certificate, token, password, impersonation, plugins, and the functions that may add
// any of it (Transport, WrapTransport).
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

// LoadTLSFiles fills CAData, CertData and KeyData of c from its files, where the data are
// empty and a file is named.
func LoadTLSFiles(c *Config) error {
	return pemfile.Load(
		pemfile.Source{Data: &c.CAData, File: c.CAFile},
		pemfile.Source{Data: &c.CertData, File: c.CertFile},
		pemfile.Source{Data: &c.KeyData, File: c.KeyFile},
	)
}
