package rest

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// AuthProvider is a plugin that identifies the client, linked into this process.
type AuthProvider interface {
	// WrapTransport returns a round tripper that adds what identifies the client.
	WrapTransport(http.RoundTripper) http.RoundTripper
	// Login prepares the plugin. It must not need the user.
	Login() error
}

// Factory makes an AuthProvider for the server at clusterAddress from its part of the
// kubeconfig; persister keeps changes to that part.
type Factory func(clusterAddress string, config map[string]string, persister AuthProviderConfigPersister) (AuthProvider, error)

// AuthProviderConfigPersister keeps the configuration of one plugin.
type AuthProviderConfigPersister interface {
	Persist(map[string]string) error
}

var (
	pluginsMu sync.Mutex // guards plugins
	plugins   = map[string]Factory{}
)

// RegisterAuthProviderPlugin makes plugin known under name, usually in an init function. It
// fails if the name is taken.
func RegisterAuthProviderPlugin(name string, plugin Factory) error {
	pluginsMu.Lock()
	defer pluginsMu.Unlock()
	if _, ok := plugins[name]; ok {
		return fmt.Errorf("auth provider plugin %q was registered twice", name)
	}
	plugins[name] = plugin
	return nil
}

// GetAuthProvider makes the AuthProvider that config names. A nil persister keeps nothing.
func GetAuthProvider(clusterAddress string, config *api.AuthProviderConfig, persister AuthProviderConfigPersister) (AuthProvider, error) {
	pluginsMu.Lock()
	plugin, ok := plugins[config.Name]
	pluginsMu.Unlock()
	if !ok {
		return nil, fmt.Errorf("no auth provider plugin is registered as %q", config.Name)
	}
	if persister == nil {
		persister = noPersister{}
	}
	return plugin(clusterAddress, config.Config, persister)
}

// noPersister keeps nothing.
type noPersister struct{}

func (noPersister) Persist(map[string]string) error { return nil }
