package clientcmd

import (
	"io"
	"sync"

	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/rest"
)

// DeferredLoadingClientConfig is a ClientConfig that loads its kubeconfig when it is first used, once. If the
// kubeconfig is empty or equals the loader's defaults, it is the configuration of the pod's service account. It
// is safe for concurrent use if it has no fallback reader.
type DeferredLoadingClientConfig struct {
	loader         ClientConfigLoader
	overrides      *ConfigOverrides
	fallbackReader io.Reader
	icc            InClusterConfig

	mu     sync.Mutex   // guards loaded
	loaded ClientConfig // nil: not loaded yet, or without success
}

// NewNonInteractiveDeferredLoadingClientConfig returns a client config for the files of loader. overrides may be
// nil; their CurrentContext chooses the context. Both may change until the first use.
func NewNonInteractiveDeferredLoadingClientConfig(loader ClientConfigLoader, overrides *ConfigOverrides) ClientConfig {
	return NewInteractiveDeferredLoadingClientConfig(loader, overrides, nil)
}

// NewInteractiveDeferredLoadingClientConfig is NewNonInteractiveDeferredLoadingClientConfig with a prompt: if the
// user has no credentials, the name is read from fallbackReader and the password from the terminal.
func NewInteractiveDeferredLoadingClientConfig(loader ClientConfigLoader, overrides *ConfigOverrides, fallbackReader io.Reader) ClientConfig {
	return &DeferredLoadingClientConfig{
		loader:         loader,
		overrides:      overrides,
		fallbackReader: fallbackReader,
		icc:            &inClusterClientConfig{overrides: overrides},
	}
}

func (c *DeferredLoadingClientConfig) load() (ClientConfig, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loaded != nil {
		return c.loaded, nil
	}
	config, err := c.loader.Load()
	if err != nil {
		return nil, err
	}
	context := ""
	if c.overrides != nil {
		context = c.overrides.CurrentContext
	}
	c.loaded = NewInteractiveClientConfig(*config, context, c.overrides, c.fallbackReader, c.loader)
	return c.loaded, nil
}

// RawConfig returns the merged kubeconfig.
func (c *DeferredLoadingClientConfig) RawConfig() (api.Config, error) {
	loaded, err := c.load()
	if err != nil {
		return api.Config{}, err
	}
	return loaded.RawConfig()
}

// ClientConfig returns the configuration of a client.
func (c *DeferredLoadingClientConfig) ClientConfig() (*rest.Config, error) {
	loaded, err := c.load()
	if err != nil {
		return nil, err
	}
	config, err := loaded.ClientConfig()
	if err != nil && !IsEmptyConfig(err) {
		return nil, err
	}
	if config != nil && !c.loader.IsDefaultConfig(config) {
		return config, nil
	}
	if c.icc.Possible() {
		klog.V(4).Info("Using in-cluster configuration")
		return c.icc.ClientConfig()
	}
	return config, err
}

// Namespace returns the default namespace: from overrides or the context, or in a pod, if neither has one, the
// namespace of the service account.
func (c *DeferredLoadingClientConfig) Namespace() (string, bool, error) {
	loaded, err := c.load()
	if err != nil {
		return "", false, err
	}
	namespace, overridden, err := loaded.Namespace()
	if err != nil && !IsEmptyConfig(err) || overridden || !c.icc.Possible() {
		return namespace, overridden, err
	}
	if namespace != "" && (namespace != "default" || c.hasNamespace(loaded)) {
		return namespace, false, nil
	}
	klog.V(4).Info("Using in-cluster namespace")
	return c.icc.Namespace()
}

// hasNamespace reports whether the chosen context of loaded has a namespace.
func (c *DeferredLoadingClientConfig) hasNamespace(loaded ClientConfig) bool {
	raw, err := loaded.RawConfig()
	if err != nil {
		return false
	}
	name := raw.CurrentContext
	if c.overrides != nil && c.overrides.CurrentContext != "" {
		name = c.overrides.CurrentContext
	}
	context := raw.Contexts[name]
	return context != nil && context.Namespace != ""
}

// ConfigAccess returns the loader.
func (c *DeferredLoadingClientConfig) ConfigAccess() ConfigAccess {
	return c.loader
}
