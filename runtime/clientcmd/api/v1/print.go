package v1

import (
	"fmt"
	"log/slog"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// String returns c without its credentials and the contents of extensions.
func (c Config) String() string {
	return secret.NewStruct("v1.Config").
		Field("Clusters", c.Clusters).
		Field("AuthInfos", c.AuthInfos).
		Field("Contexts", c.Contexts).
		Field("CurrentContext", c.CurrentContext).
		Secret("Extensions", len(c.Extensions) > 0).
		String()
}

// GoString returns the same as String.
func (c Config) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c Config) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// String returns p without the contents of its extensions.
func (p Preferences) String() string {
	return secret.NewStruct("v1.Preferences").
		Field("Colors", p.Colors).
		Secret("Extensions", len(p.Extensions) > 0).
		String()
}

// GoString returns the same as String.
func (p Preferences) GoString() string { return p.String() }

// Format prints the same as String for every verb.
func (p Preferences) Format(state fmt.State, verb rune) { secret.Format(state, verb, p.String()) }

// LogValue returns the same as String.
func (p Preferences) LogValue() slog.Value { return slog.StringValue(p.String()) }

// String returns c without passwords in its URLs and the contents of extensions.
func (c Cluster) String() string {
	return secret.NewStruct("v1.Cluster").
		Field("Server", secret.Host(c.Server)).
		Field("TLSServerName", c.TLSServerName).
		Field("InsecureSkipTLSVerify", c.InsecureSkipTLSVerify).
		Field("CertificateAuthority", c.CertificateAuthority).
		Data("CertificateAuthorityData", c.CertificateAuthorityData).
		Field("ProxyURL", secret.Host(c.ProxyURL)).
		Field("DisableCompression", c.DisableCompression).
		Secret("Extensions", len(c.Extensions) > 0).
		String()
}

// GoString returns the same as String.
func (c Cluster) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c Cluster) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c Cluster) LogValue() slog.Value { return slog.StringValue(c.String()) }

// String returns u without its credentials.
func (u AuthInfo) String() string {
	return secret.NewStruct("v1.AuthInfo").
		Field("ClientCertificate", u.ClientCertificate).
		Data("ClientCertificateData", u.ClientCertificateData).
		Field("ClientKey", u.ClientKey).
		Secret("ClientKeyData", len(u.ClientKeyData) > 0).
		Secret("Token", u.Token != "").
		Field("TokenFile", u.TokenFile).
		Field("Impersonate", u.Impersonate).
		Field("ImpersonateUID", u.ImpersonateUID).
		Field("ImpersonateGroups", u.ImpersonateGroups).
		Secret("ImpersonateUserExtra", len(u.ImpersonateUserExtra) > 0).
		Field("Username", u.Username).
		Secret("Password", u.Password != "").
		Field("AuthProvider", u.AuthProvider).
		Field("Exec", u.Exec).
		Secret("Extensions", len(u.Extensions) > 0).
		String()
}

// GoString returns the same as String.
func (u AuthInfo) GoString() string { return u.String() }

// Format prints the same as String for every verb.
func (u AuthInfo) Format(state fmt.State, verb rune) { secret.Format(state, verb, u.String()) }

// LogValue returns the same as String.
func (u AuthInfo) LogValue() slog.Value { return slog.StringValue(u.String()) }

// String returns c without the contents of its extensions.
func (c Context) String() string {
	return secret.NewStruct("v1.Context").
		Field("Cluster", c.Cluster).
		Field("AuthInfo", c.AuthInfo).
		Field("Namespace", c.Namespace).
		Secret("Extensions", len(c.Extensions) > 0).
		String()
}

// GoString returns the same as String.
func (c Context) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c Context) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c Context) LogValue() slog.Value { return slog.StringValue(c.String()) }

// String returns c without what Cluster hides.
func (c NamedCluster) String() string {
	return secret.NewStruct("v1.NamedCluster").
		Field("Name", c.Name).
		Field("Cluster", c.Cluster).
		String()
}

// GoString returns the same as String.
func (c NamedCluster) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c NamedCluster) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c NamedCluster) LogValue() slog.Value { return slog.StringValue(c.String()) }

// String returns u without what AuthInfo hides.
func (u NamedAuthInfo) String() string {
	return secret.NewStruct("v1.NamedAuthInfo").
		Field("Name", u.Name).
		Field("AuthInfo", u.AuthInfo).
		String()
}

// GoString returns the same as String.
func (u NamedAuthInfo) GoString() string { return u.String() }

// Format prints the same as String for every verb.
func (u NamedAuthInfo) Format(state fmt.State, verb rune) { secret.Format(state, verb, u.String()) }

// LogValue returns the same as String.
func (u NamedAuthInfo) LogValue() slog.Value { return slog.StringValue(u.String()) }

// String returns c without what Context hides.
func (c NamedContext) String() string {
	return secret.NewStruct("v1.NamedContext").
		Field("Name", c.Name).
		Field("Context", c.Context).
		String()
}

// GoString returns the same as String.
func (c NamedContext) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c NamedContext) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c NamedContext) LogValue() slog.Value { return slog.StringValue(c.String()) }

// String returns e without its contents.
func (e NamedExtension) String() string {
	return secret.NewStruct("v1.NamedExtension").
		Field("Name", e.Name).
		Secret("Extension", len(e.Extension.Raw) > 0 || e.Extension.Object != nil).
		String()
}

// GoString returns the same as String.
func (e NamedExtension) GoString() string { return e.String() }

// Format prints the same as String for every verb.
func (e NamedExtension) Format(state fmt.State, verb rune) { secret.Format(state, verb, e.String()) }

// LogValue returns the same as String.
func (e NamedExtension) LogValue() slog.Value { return slog.StringValue(e.String()) }

// String returns p without the plugin's configuration.
func (p AuthProviderConfig) String() string {
	return secret.NewStruct("v1.AuthProviderConfig").
		Field("Name", p.Name).
		Secret("Config", p.Config != nil).
		String()
}

// GoString returns the same as String.
func (p AuthProviderConfig) GoString() string { return p.String() }

// Format prints the same as String for every verb.
func (p AuthProviderConfig) Format(state fmt.State, verb rune) {
	secret.Format(state, verb, p.String())
}

// LogValue returns the same as String.
func (p AuthProviderConfig) LogValue() slog.Value { return slog.StringValue(p.String()) }

// String returns e without arguments and environment.
func (e ExecConfig) String() string {
	return secret.NewStruct("v1.ExecConfig").
		Field("Command", e.Command).
		Secret("Args", len(e.Args) > 0).
		Secret("Env", len(e.Env) > 0).
		Field("APIVersion", e.APIVersion).
		Field("InstallHint", e.InstallHint).
		Field("ProvideClusterInfo", e.ProvideClusterInfo).
		Field("InteractiveMode", e.InteractiveMode).
		String()
}

// GoString returns the same as String.
func (e ExecConfig) GoString() string { return e.String() }

// Format prints the same as String for every verb.
func (e ExecConfig) Format(state fmt.State, verb rune) { secret.Format(state, verb, e.String()) }

// LogValue returns the same as String.
func (e ExecConfig) LogValue() slog.Value { return slog.StringValue(e.String()) }

// String returns v without its value.
func (v ExecEnvVar) String() string {
	return secret.NewStruct("v1.ExecEnvVar").
		Field("Name", v.Name).
		Secret("Value", v.Value != "").
		String()
}

// GoString returns the same as String.
func (v ExecEnvVar) GoString() string { return v.String() }

// Format prints the same as String for every verb.
func (v ExecEnvVar) Format(state fmt.State, verb rune) { secret.Format(state, verb, v.String()) }

// LogValue returns the same as String.
func (v ExecEnvVar) LogValue() slog.Value { return slog.StringValue(v.String()) }
