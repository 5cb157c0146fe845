package rest

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// AuthProvider is a plugin in this process that authenticates the client.
type AuthProvider interface {
	// WrapTransport returns a round tripper that adds the client's credentials.
	WrapTransport(http.RoundTripper) http.RoundTripper
	// Login prepares the plugin. It must not require interaction with the user.
	Login() error
}

// Factory creates an AuthProvider for the server at clusterAddress from its part of the kubeconfig; persister
// stores changes of that part.
type Factory func(clusterAddress string, config map[string]string, persister AuthProviderConfigPersister) (AuthProvider, error)

// AuthProviderConfigPersister stores the configuration of one plugin.
type AuthProviderConfigPersister interface {
	Persist(map[string]string) error
}

var (
	pluginsMu sync.Mutex // guards plugins
	plugins   = map[string]Factory{}
)

// RegisterAuthProviderPlugin registers plugin under name, usually in an init function. It returns an error if
// the name is taken.
func RegisterAuthProviderPlugin(name string, plugin Factory) error {
	pluginsMu.Lock()
	defer pluginsMu.Unlock()
	if _, ok := plugins[name]; ok {
		return fmt.Errorf("auth provider plugin %q was registered twice", name)
	}
	plugins[name] = plugin
	return nil
}

// GetAuthProvider creates the AuthProvider that config names. If persister is nil, its configuration is not
// stored.
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

// noPersister stores nothing.
type noPersister struct{}

func (noPersister) Persist(map[string]string) error { return nil }
