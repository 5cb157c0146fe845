package api

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// String returns c without its credentials.
func (c Config) String() string {
	return secret.NewStruct("api.Config").
		Field("Clusters", c.Clusters).
		Field("AuthInfos", c.AuthInfos).
		Field("Contexts", slices.Sorted(maps.Keys(c.Contexts))).
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

// String returns c without its credentials.
func (c AuthInfo) String() string {
	return secret.NewStruct("api.AuthInfo").
		Field("LocationOfOrigin", c.LocationOfOrigin).
		Field("ClientCertificate", c.ClientCertificate).
		Data("ClientCertificateData", c.ClientCertificateData).
		Field("ClientKey", c.ClientKey).
		Secret("ClientKeyData", len(c.ClientKeyData) > 0).
		Secret("Token", c.Token != "").
		Field("TokenFile", c.TokenFile).
		Field("Impersonate", c.Impersonate).
		Field("ImpersonateUID", c.ImpersonateUID).
		Field("ImpersonateGroups", c.ImpersonateGroups).
		Secret("ImpersonateUserExtra", len(c.ImpersonateUserExtra) > 0).
		Field("Username", c.Username).
		Secret("Password", c.Password != "").
		Field("AuthProvider", c.AuthProvider).
		Field("Exec", c.Exec).
		Secret("Extensions", len(c.Extensions) > 0).
		String()
}

// GoString returns the same as String.
func (c AuthInfo) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c AuthInfo) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c AuthInfo) LogValue() slog.Value { return slog.StringValue(c.String()) }

// String returns c without passwords in its URLs.
func (c Cluster) String() string {
	return secret.NewStruct("api.Cluster").
		Field("LocationOfOrigin", c.LocationOfOrigin).
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

// String returns c without the plugin's configuration.
func (c AuthProviderConfig) String() string {
	return secret.NewStruct("api.AuthProviderConfig").
		Field("Name", c.Name).
		Secret("Config", c.Config != nil).
		String()
}

// GoString returns the same as String.
func (c AuthProviderConfig) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c AuthProviderConfig) Format(state fmt.State, verb rune) {
	secret.Format(state, verb, c.String())
}

// LogValue returns the same as String.
func (c AuthProviderConfig) LogValue() slog.Value { return slog.StringValue(c.String()) }

// String returns c without arguments, environment and the cluster's configuration.
func (c ExecConfig) String() string {
	return secret.NewStruct("api.ExecConfig").
		Field("Command", c.Command).
		Secret("Args", len(c.Args) > 0).
		Secret("Env", len(c.Env) > 0).
		Field("APIVersion", c.APIVersion).
		Field("InstallHint", c.InstallHint).
		Field("ProvideClusterInfo", c.ProvideClusterInfo).
		Secret("Config", c.Config != nil).
		Field("InteractiveMode", c.InteractiveMode).
		Field("StdinUnavailable", c.StdinUnavailable).
		Field("StdinUnavailableMessage", c.StdinUnavailableMessage).
		Field("PluginPolicy", c.PluginPolicy).
		String()
}

// GoString returns the same as String.
func (c ExecConfig) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c ExecConfig) Format(state fmt.State, verb rune) { secret.Format(state, verb, c.String()) }

// LogValue returns the same as String.
func (c ExecConfig) LogValue() slog.Value { return slog.StringValue(c.String()) }

// String returns v without its value.
func (v ExecEnvVar) String() string {
	return secret.NewStruct("api.ExecEnvVar").
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

// String returns c without the contents of its extensions.
func (c Context) String() string {
	return secret.NewStruct("api.Context").
		Field("LocationOfOrigin", c.LocationOfOrigin).
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

// String returns p without the contents of its extensions.
func (p Preferences) String() string {
	return secret.NewStruct("api.Preferences").
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
