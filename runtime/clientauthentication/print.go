package clientauthentication

import (
	"fmt"
	"log/slog"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// String returns c without its credentials.
func (c ExecCredential) String() string {
	return secret.NewStruct("clientauthentication.ExecCredential").
		Field("Spec", c.Spec).
		Field("Status", c.Status).
		String()
}

// GoString returns the same as String.
func (c ExecCredential) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c ExecCredential) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c ExecCredential) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalLog returns the same as String.
func (c ExecCredential) MarshalLog() any { return c.String() }

// String returns s without its credentials.
func (s ExecCredentialStatus) String() string {
	return secret.NewStruct("clientauthentication.ExecCredentialStatus").
		Type("ExpirationTimestamp", s.ExpirationTimestamp).
		Secret("Token", s.Token != "").
		Data("ClientCertificateData", []byte(s.ClientCertificateData)).
		Secret("ClientKeyData", s.ClientKeyData != "").
		String()
}

// GoString returns the same as String.
func (s ExecCredentialStatus) GoString() string { return s.String() }

// Format prints the same as String for every verb.
func (s ExecCredentialStatus) Format(state fmt.State, verb rune) {
	secret.Format(state, verb, s.String())
}

// LogValue returns the same as String.
func (s ExecCredentialStatus) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalLog returns the same as String.
func (s ExecCredentialStatus) MarshalLog() any { return s.String() }

// String returns c without passwords in its URLs and without the program's configuration.
func (c Cluster) String() string {
	return secret.NewStruct("clientauthentication.Cluster").
		Field("Server", secret.Host(c.Server)).
		Field("TLSServerName", c.TLSServerName).
		Field("InsecureSkipTLSVerify", c.InsecureSkipTLSVerify).
		Data("CertificateAuthorityData", c.CertificateAuthorityData).
		Field("ProxyURL", secret.Host(c.ProxyURL)).
		Field("DisableCompression", c.DisableCompression).
		Secret("Config", c.Config != nil).
		String()
}

// GoString returns the same as String.
func (c Cluster) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c Cluster) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c Cluster) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalLog returns the same as String.
func (c Cluster) MarshalLog() any { return c.String() }
