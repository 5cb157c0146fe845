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
// stored. If none is registered under the name, the error names the exec plugin that can replace it.
func GetAuthProvider(clusterAddress string, config *api.AuthProviderConfig, persister AuthProviderConfigPersister) (AuthProvider, error) {
	pluginsMu.Lock()
	plugin, ok := plugins[config.Name]
	pluginsMu.Unlock()
	if !ok {
		return nil, notRegistered(config.Name)
	}
	if persister == nil {
		persister = noPersister{}
	}
	return plugin(clusterAddress, config.Config, persister)
}

// replacements name the exec plugins that replaced the auth providers of early releases.
var replacements = map[string]string{
	"azure":     "kubelogin, see https://azure.github.io/kubelogin",
	"gcp":       "gke-gcloud-auth-plugin, see https://cloud.google.com/blog/products/containers-kubernetes/kubectl-auth-changes-in-gke",
	"openstack": "client-keystone-auth, see https://github.com/kubernetes/cloud-provider-openstack",
}

func notRegistered(name string) error {
	if plugin, ok := replacements[name]; ok {
		return fmt.Errorf("the auth provider %q has been removed: use the exec plugin %s", name, plugin)
	}
	if name == "oidc" {
		return fmt.Errorf("no Auth Provider found for name %q: import github.com/listwatch/listwatch/runtime/auth/oidc in the program, or use the exec plugin kubelogin, see https://github.com/int128/kubelogin", name)
	}
	return fmt.Errorf("no Auth Provider found for name %q: use an exec plugin, see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins", name)
}

// noPersister stores nothing.
type noPersister struct{}

func (noPersister) Persist(map[string]string) error { return nil }
