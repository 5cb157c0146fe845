package rest

import (
	"fmt"
	"log/slog"

	"github.com/listwatch/listwatch/runtime/internal/secret"
	"github.com/listwatch/listwatch/runtime/transport"
)

// String returns c without its credentials.
func (c *Config) String() string {
	if c == nil {
		return "<nil>"
	}
	return "&" + c.redacted()
}

// GoString returns the same as String.
func (c *Config) GoString() string { return c.String() }

// Format prints c without its credentials for every verb.
func (c Config) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.redacted()) }

// LogValue returns c without its credentials, for log/slog.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.redacted()) }

// MarshalLog returns c without its credentials, for logr.
func (c Config) MarshalLog() any { return c.redacted() }

// MarshalText returns c without its credentials, for encoders to JSON, YAML and XML. The text is for logs and
// cannot be read back.
func (c Config) MarshalText() ([]byte, error) { return []byte(c.redacted()), nil }

// GobEncode returns an error: a config without its credentials would be useless.
func (c Config) GobEncode() ([]byte, error) { return nil, secret.ErrNotEncoded }

func (c Config) redacted() string {
	return secret.NewStruct("rest.Config").
		Field("Host", secret.Host(c.Host)).
		Field("APIPath", c.APIPath).
		Field("AcceptContentTypes", c.AcceptContentTypes).
		Field("ContentType", c.ContentType).
		Field("GroupVersion", c.GroupVersion).
		Type("NegotiatedSerializer", c.NegotiatedSerializer).
		Field("Username", c.Username).
		Secret("Password", c.Password != "").
		Secret("BearerToken", c.BearerToken != "").
		Field("BearerTokenFile", c.BearerTokenFile).
		Field("Impersonate", c.Impersonate).
		Field("AuthProvider", c.AuthProvider).
		Type("AuthConfigPersister", c.AuthConfigPersister).
		Field("ExecProvider", c.ExecProvider).
		Field("TLSClientConfig", c.TLSClientConfig).
		Field("UserAgent", c.UserAgent).
		Field("DisableCompression", c.DisableCompression).
		Type("Transport", c.Transport).
		Type("WrapTransport", c.WrapTransport).
		Field("QPS", c.QPS).
		Field("Burst", c.Burst).
		Type("RateLimiter", c.RateLimiter).
		Type("WarningHandler", c.WarningHandler).
		Type("WarningHandlerWithContext", c.WarningHandlerWithContext).
		Field("Timeout", c.Timeout).
		Type("Dial", c.Dial).
		Type("Proxy", c.Proxy).
		String()
}

// String returns c without its key.
func (c TLSClientConfig) String() string {
	return secret.As("rest.TLSClientConfig", c.transport())
}

// GoString returns the same as String.
func (c TLSClientConfig) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c TLSClientConfig) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c TLSClientConfig) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalText returns the same as String, for encoders to JSON, YAML and XML. The text is for
// logs and cannot be read back.
func (c TLSClientConfig) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// GobEncode returns an error: a config without its credentials would be useless.
func (c TLSClientConfig) GobEncode() ([]byte, error) { return nil, secret.ErrNotEncoded }

// String returns c without the values of Extra, which may be anything.
func (c ImpersonationConfig) String() string {
	return secret.As("rest.ImpersonationConfig", transport.ImpersonationConfig(c))
}

// GoString returns the same as String.
func (c ImpersonationConfig) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c ImpersonationConfig) Format(state fmt.State, verb rune) {
	secret.Format(state, verb, c.String())
}

// LogValue returns the same as String.
func (c ImpersonationConfig) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalText returns the same as String, for encoders to JSON, YAML and XML. The text is for
// logs and cannot be read back.
func (c ImpersonationConfig) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// GobEncode returns an error: a config without its credentials would be useless.
func (c ImpersonationConfig) GobEncode() ([]byte, error) { return nil, secret.ErrNotEncoded }
