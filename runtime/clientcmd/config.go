package clientcmd

import (
	"io"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ClientConfig is a source of a client's configuration.
type ClientConfig interface {
	// RawConfig returns the kubeconfig, merged from all files, without overrides. Its entries must not be
	// modified.
	RawConfig() (api.Config, error)
	// ClientConfig returns the configuration of a client for the chosen context. The caller may modify it.
	ClientConfig() (*rest.Config, error)
	// Namespace returns the default namespace for requests, and whether it comes from an override.
	Namespace() (string, bool, error)
	// ConfigAccess returns the files of the kubeconfig, or nil if it was not read from files.
	ConfigAccess() ConfigAccess
}

// OverridingClientConfig is a ClientConfig that can apply its overrides to the kubeconfig.
type OverridingClientConfig interface {
	ClientConfig
	// MergedRawConfig returns a copy of the kubeconfig in which the overrides are applied to the chosen
	// context, its cluster and its user.
	MergedRawConfig() (api.Config, error)
}

// PersistAuthProviderConfigForUser returns what stores the configuration of a user's auth provider.
type PersistAuthProviderConfigForUser func(user string) rest.AuthProviderConfigPersister

// DirectClientConfig is an OverridingClientConfig for a kubeconfig in memory. It is safe for concurrent use if it
// has no fallback reader.
type DirectClientConfig struct {
	config         api.Config
	contextName    string // empty: the current context
	overrides      *ConfigOverrides
	fallbackReader io.Reader // nil: do not prompt
	configAccess   ConfigAccess
	fromAccess     bool // whether config was loaded from configAccess
	prompted       promptedCredentials
}

// promptedCredentials are the user's input.
type promptedCredentials struct {
	username string
	password secret.String
}

// NewDefaultClientConfig returns a client config for the current context of config.
func NewDefaultClientConfig(config api.Config, overrides *ConfigOverrides) OverridingClientConfig {
	return &DirectClientConfig{
		config:       config,
		contextName:  config.CurrentContext,
		overrides:    overrides,
		configAccess: NewDefaultClientConfigLoadingRules(),
	}
}

// NewNonInteractiveClientConfig returns a client config for a context of config; an empty contextName means the
// current context. configAccess are the files that config was loaded from, or nil.
func NewNonInteractiveClientConfig(config api.Config, contextName string, overrides *ConfigOverrides, configAccess ConfigAccess) OverridingClientConfig {
	return NewInteractiveClientConfig(config, contextName, overrides, nil, configAccess)
}

// NewInteractiveClientConfig is NewNonInteractiveClientConfig with a prompt: if the user has no credentials, the
// name is read from fallbackReader and the password from the terminal.
func NewInteractiveClientConfig(config api.Config, contextName string, overrides *ConfigOverrides, fallbackReader io.Reader, configAccess ConfigAccess) OverridingClientConfig {
	return &DirectClientConfig{
		config:         config,
		contextName:    contextName,
		overrides:      overrides,
		fallbackReader: fallbackReader,
		configAccess:   configAccess,
		fromAccess:     configAccess != nil,
	}
}

// NewClientConfigFromBytes returns a client config for the current context of a kubeconfig.
func NewClientConfigFromBytes(configBytes []byte) (OverridingClientConfig, error) {
	config, err := Load(configBytes)
	if err != nil {
		return nil, err
	}
	return &DirectClientConfig{config: *config, overrides: &ConfigOverrides{}}, nil
}

// RawConfig returns the kubeconfig without overrides.
func (c *DirectClientConfig) RawConfig() (api.Config, error) {
	return c.config, nil
}

// MergedRawConfig returns a copy of the kubeconfig with the overrides applied.
func (c *DirectClientConfig) MergedRawConfig() (api.Config, error) {
	if err := c.ConfirmUsable(); err != nil {
		return api.Config{}, err
	}
	chosen, err := c.choose()
	if err != nil {
		return api.Config{}, err
	}
	merged := c.config.DeepCopy()
	setEntry(&merged.Contexts, chosen.contextName, &chosen.context)
	setEntry(&merged.AuthInfos, chosen.userName, &chosen.user)
	setEntry(&merged.Clusters, chosen.clusterName, &chosen.cluster)
	merged.CurrentContext = chosen.contextName
	return *merged, nil
}

func setEntry[T any](m *map[string]*T, name string, entry *T) {
	if *m == nil {
		*m = map[string]*T{}
	}
	(*m)[name] = entry
}

// Namespace returns the namespace of the overrides, or else of the context, or else "default".
func (c *DirectClientConfig) Namespace() (string, bool, error) {
	// Before the check, so that a namespace can be overridden without a kubeconfig, in a pod.
	if c.overrides != nil && c.overrides.Context.Namespace != "" {
		return c.overrides.Context.Namespace, true, nil
	}
	if err := c.ConfirmUsable(); err != nil {
		return "", false, err
	}
	_, context, err := c.context()
	if err != nil {
		return "", false, err
	}
	if context.Namespace == "" {
		return "default", false, nil
	}
	return context.Namespace, false, nil
}

// ConfigAccess returns the files of the kubeconfig.
func (c *DirectClientConfig) ConfigAccess() ConfigAccess {
	return c.configAccess
}
