package clientcmd

import (
	"fmt"
	"log/slog"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// ConfigOverrides replace settings of the chosen context, its cluster and its user. Settings with zero values
// replace nothing. Its methods print it without credentials; do not encode it.
type ConfigOverrides struct {
	// AuthInfo overrides the user.
	AuthInfo api.AuthInfo
	// ClusterDefaults apply where the cluster has no setting.
	ClusterDefaults api.Cluster
	// ClusterInfo overrides the cluster.
	ClusterInfo api.Cluster
	// Context overrides the context. The cluster and user that it names must exist.
	Context api.Context
	// CurrentContext is the name of the context to choose, which must exist.
	CurrentContext string
	// Timeout limits a request: see ParseTimeout. Empty means no limit.
	Timeout string
}

// String returns o without credentials.
func (o ConfigOverrides) String() string {
	return secret.NewStruct("clientcmd.ConfigOverrides").
		Field("AuthInfo", o.AuthInfo).
		Field("ClusterDefaults", o.ClusterDefaults).
		Field("ClusterInfo", o.ClusterInfo).
		Field("Context", o.Context).
		Field("CurrentContext", o.CurrentContext).
		Field("Timeout", o.Timeout).
		String()
}

// GoString returns the same as String.
func (o ConfigOverrides) GoString() string { return o.String() }

// Format prints the same as String for every verb.
func (o ConfigOverrides) Format(state fmt.State, verb rune) { secret.Format(state, verb, o.String()) }

// LogValue returns the same as String.
func (o ConfigOverrides) LogValue() slog.Value { return slog.StringValue(o.String()) }

// MarshalLog returns the same as String.
func (o ConfigOverrides) MarshalLog() any { return o.String() }

// MarshalText returns the same as String. The text is for logs and cannot be read back.
func (o ConfigOverrides) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// The client configs contain credentials in fields whose own methods fmt cannot call.

// String returns the type of c.
func (c DirectClientConfig) String() string { return "clientcmd.DirectClientConfig{...}" }

// GoString returns the same as String.
func (c DirectClientConfig) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c DirectClientConfig) Format(state fmt.State, verb rune) {
	secret.Format(state, verb, c.String())
}

// String returns the type of c.
func (c *DeferredLoadingClientConfig) String() string {
	return "clientcmd.DeferredLoadingClientConfig{...}"
}

// GoString returns the same as String.
func (c *DeferredLoadingClientConfig) GoString() string { return c.String() }

// Format prints the same as String for every verb.
func (c *DeferredLoadingClientConfig) Format(state fmt.State, verb rune) {
	secret.Format(state, verb, c.String())
}
