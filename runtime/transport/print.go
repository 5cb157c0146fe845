package transport

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// String returns c without its credentials.
func (c Config) String() string {
	return secret.NewStruct("transport.Config").
		Field("UserAgent", c.UserAgent).
		Field("TLS", c.TLS).
		Field("Username", c.Username).
		Secret("Password", c.Password != "").
		Secret("BearerToken", c.BearerToken != "").
		Field("BearerTokenFile", c.BearerTokenFile).
		Field("Impersonate", c.Impersonate).
		Field("DisableCompression", c.DisableCompression).
		Type("Transport", c.Transport).
		Type("WrapTransport", c.WrapTransport).
		Type("DialHolder", c.DialHolder).
		Type("Proxy", c.Proxy).
		String()
}

// GoString returns the same as String.
func (c Config) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c Config) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalText returns the same as String, for encoders to JSON, YAML and XML. The text is for
// logs and cannot be read back.
func (c Config) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// GobEncode returns an error: a config without its credentials would be useless.
func (c Config) GobEncode() ([]byte, error) { return nil, secret.ErrNotEncoded }

// String returns c without its key.
func (c TLSConfig) String() string {
	return secret.NewStruct("transport.TLSConfig").
		Field("CAFile", c.CAFile).
		Field("CertFile", c.CertFile).
		Field("KeyFile", c.KeyFile).
		Field("ReloadTLSFiles", c.ReloadTLSFiles).
		Field("ReloadCAFiles", c.ReloadCAFiles).
		Field("Insecure", c.Insecure).
		Field("ServerName", c.ServerName).
		Data("CAData", c.CAData).
		Data("CertData", c.CertData).
		Secret("KeyData", len(c.KeyData) > 0).
		Field("NextProtos", c.NextProtos).
		Type("GetCertHolder", c.GetCertHolder).
		String()
}

// GoString returns the same as String.
func (c TLSConfig) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c TLSConfig) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c TLSConfig) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalText returns the same as String, for encoders to JSON, YAML and XML. The text is for
// logs and cannot be read back.
func (c TLSConfig) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// GobEncode returns an error: a config without its credentials would be useless.
func (c TLSConfig) GobEncode() ([]byte, error) { return nil, secret.ErrNotEncoded }

// String returns c without the values of Extra, which may be anything.
func (c ImpersonationConfig) String() string {
	return secret.NewStruct("transport.ImpersonationConfig").
		Field("UserName", c.UserName).
		Field("UID", c.UID).
		Field("Groups", c.Groups).
		Field("ExtraKeys", slices.Sorted(maps.Keys(c.Extra))).
		String()
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
