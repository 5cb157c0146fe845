// Package exec is for both sides of exec plugins, the programs that print credentials: it gets credentials from a
// program, as client-go's plugin/pkg/client/auth/exec does, and loads what such a program receives, as client-go's
// tools/auth/exec does.
//
// Package rest uses a program for every config with an ExecProvider; call GetAuthenticator only to configure a
// transport without one.
package exec

import (
	"github.com/listwatch/listwatch/runtime/clientauthentication"
	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/execplugin"
)

// Authenticator gets credentials from a program and caches them until they expire or are rejected. It is safe for
// concurrent use. Its UpdateTransportConfig makes a transport use them.
type Authenticator = execplugin.Authenticator

// GetAuthenticator returns the Authenticator for the program of config: the same one for equal configurations, as
// long as it is in use. cluster describes the server to the program, and may be nil unless
// config.ProvideClusterInfo is set.
func GetAuthenticator(config *api.ExecConfig, cluster *clientauthentication.Cluster) (*Authenticator, error) {
	return execplugin.For(config, (*execplugin.Cluster)(cluster))
}

// ValidatePluginPolicy returns an error if policy is invalid.
func ValidatePluginPolicy(policy api.PluginPolicy) error {
	return execplugin.ValidatePolicy(policy)
}
