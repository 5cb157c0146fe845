package clientgo

import (
	"maps"
	"net/http"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	theirrest "k8s.io/client-go/rest"
	theirapi "k8s.io/client-go/tools/clientcmd/api"
	theirtransport "k8s.io/client-go/transport"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/transport"
)

// ToConfig converts a config of ours to client-go's. The result shares no data with config
// that is modified through either; functions, handlers and the rate limiter are the same. A nil
// config gives nil.
//
// A client of the result sends as many requests as one of config: no limit (QPS 0) becomes
// -1, since client-go limits clients to 5 requests per second by default.
func ToConfig(config *rest.Config) *theirrest.Config {
	if config == nil {
		return nil
	}
	result := &theirrest.Config{
		Host:                      config.Host,
		APIPath:                   config.APIPath,
		ContentConfig:             theirrest.ContentConfig(config.ContentConfig),
		Username:                  config.Username,
		Password:                  config.Password,
		BearerToken:               config.BearerToken,
		BearerTokenFile:           config.BearerTokenFile,
		Impersonate:               theirrest.ImpersonationConfig(config.Impersonate),
		AuthConfigPersister:       config.AuthConfigPersister,
		ExecProvider:              toExec(config.ExecProvider),
		TLSClientConfig:           theirrest.TLSClientConfig(config.TLSClientConfig),
		UserAgent:                 config.UserAgent,
		DisableCompression:        config.DisableCompression,
		Transport:                 config.Transport,
		WrapTransport:             theirtransport.WrapperFunc(config.WrapTransport),
		QPS:                       config.QPS,
		Burst:                     config.Burst,
		RateLimiter:               config.RateLimiter,
		WarningHandler:            config.WarningHandler,
		WarningHandlerWithContext: config.WarningHandlerWithContext,
		Timeout:                   config.Timeout,
		Dial:                      config.Dial,
		Proxy:                     config.Proxy,
	}
	if provider := config.AuthProvider; provider != nil {
		result.AuthProvider = &theirapi.AuthProviderConfig{Name: provider.Name, Config: maps.Clone(provider.Config)}
	}
	if config.QPS == 0 {
		result.QPS = -1
	}
	copyContent((*rest.ContentConfig)(&result.ContentConfig))
	copyUser((*rest.ImpersonationConfig)(&result.Impersonate))
	copyTLS((*rest.TLSClientConfig)(&result.TLSClientConfig))
	return result
}

// FromConfig converts a config of client-go's to ours. The result shares no data with config
// that is modified through either; functions, handlers and the rate limiter are the same. A nil
// config gives nil.
//
// A client of the result sends as many requests as one of config: client-go's defaults for QPS
// and Burst, 5 and 10, are set explicitly, and a Burst without a limit is dropped.
func FromConfig(config *theirrest.Config) *rest.Config {
	if config == nil {
		return nil
	}
	result := &rest.Config{
		Host:                      config.Host,
		APIPath:                   config.APIPath,
		ContentConfig:             rest.ContentConfig(config.ContentConfig),
		Username:                  config.Username,
		Password:                  config.Password,
		BearerToken:               config.BearerToken,
		BearerTokenFile:           config.BearerTokenFile,
		Impersonate:               rest.ImpersonationConfig(config.Impersonate),
		AuthConfigPersister:       config.AuthConfigPersister,
		ExecProvider:              fromExec(config.ExecProvider),
		TLSClientConfig:           rest.TLSClientConfig(config.TLSClientConfig),
		UserAgent:                 config.UserAgent,
		DisableCompression:        config.DisableCompression,
		Transport:                 config.Transport,
		WrapTransport:             transport.WrapperFunc(config.WrapTransport),
		RateLimiter:               config.RateLimiter,
		WarningHandler:            config.WarningHandler,
		WarningHandlerWithContext: config.WarningHandlerWithContext,
		Timeout:                   config.Timeout,
		Dial:                      config.Dial,
		Proxy:                     config.Proxy,
	}
	if provider := config.AuthProvider; provider != nil {
		result.AuthProvider = &api.AuthProviderConfig{Name: provider.Name, Config: maps.Clone(provider.Config)}
	}
	result.QPS, result.Burst = limits(config)
	copyContent(&result.ContentConfig)
	copyUser(&result.Impersonate)
	copyTLS(&result.TLSClientConfig)
	return result
}

// limits returns the QPS and Burst that mean to our clients what config means to theirs.
func limits(config *theirrest.Config) (qps float32, burst int) {
	qps, burst = config.QPS, config.Burst
	if config.RateLimiter != nil {
		return qps, burst // it takes precedence in both
	}
	if qps < 0 {
		return qps, 0
	}
	if qps == 0 {
		qps = theirrest.DefaultQPS
	}
	if burst == 0 {
		burst = theirrest.DefaultBurst
	}
	return qps, burst
}

// The functions below replace what a config refers to by copies.

func copyContent(c *rest.ContentConfig) {
	if c.GroupVersion != nil {
		version := *c.GroupVersion
		c.GroupVersion = &version
	}
}

func copyUser(c *rest.ImpersonationConfig) {
	c.Groups = slices.Clone(c.Groups)
	c.Extra = maps.Clone(c.Extra)
	for key, values := range c.Extra {
		c.Extra[key] = slices.Clone(values)
	}
}

func copyTLS(c *rest.TLSClientConfig) {
	c.CertData, c.KeyData, c.CAData = slices.Clone(c.CertData), slices.Clone(c.KeyData), slices.Clone(c.CAData)
	c.NextProtos = slices.Clone(c.NextProtos)
}

func toExec(exec *api.ExecConfig) *theirapi.ExecConfig {
	if exec == nil {
		return nil
	}
	result := &theirapi.ExecConfig{
		Command:                 exec.Command,
		Args:                    slices.Clone(exec.Args),
		APIVersion:              exec.APIVersion,
		InstallHint:             exec.InstallHint,
		ProvideClusterInfo:      exec.ProvideClusterInfo,
		Config:                  copyObject(exec.Config),
		InteractiveMode:         theirapi.ExecInteractiveMode(exec.InteractiveMode),
		StdinUnavailable:        exec.StdinUnavailable,
		StdinUnavailableMessage: exec.StdinUnavailableMessage,
		PluginPolicy:            theirapi.PluginPolicy{PolicyType: theirapi.PolicyType(exec.PluginPolicy.PolicyType)},
	}
	for _, variable := range exec.Env {
		result.Env = append(result.Env, theirapi.ExecEnvVar(variable))
	}
	for _, entry := range exec.PluginPolicy.Allowlist {
		result.PluginPolicy.Allowlist = append(result.PluginPolicy.Allowlist, theirapi.AllowlistEntry(entry))
	}
	return result
}

func fromExec(exec *theirapi.ExecConfig) *api.ExecConfig {
	if exec == nil {
		return nil
	}
	result := &api.ExecConfig{
		Command:                 exec.Command,
		Args:                    slices.Clone(exec.Args),
		APIVersion:              exec.APIVersion,
		InstallHint:             exec.InstallHint,
		ProvideClusterInfo:      exec.ProvideClusterInfo,
		Config:                  copyObject(exec.Config),
		InteractiveMode:         api.ExecInteractiveMode(exec.InteractiveMode),
		StdinUnavailable:        exec.StdinUnavailable,
		StdinUnavailableMessage: exec.StdinUnavailableMessage,
		PluginPolicy:            api.PluginPolicy{PolicyType: api.PolicyType(exec.PluginPolicy.PolicyType)},
	}
	for _, variable := range exec.Env {
		result.Env = append(result.Env, api.ExecEnvVar(variable))
	}
	for _, entry := range exec.PluginPolicy.Allowlist {
		result.PluginPolicy.Allowlist = append(result.PluginPolicy.Allowlist, api.AllowlistEntry(entry))
	}
	return result
}

func copyObject(object runtime.Object) runtime.Object {
	if object == nil {
		return nil
	}
	return object.DeepCopyObject()
}

// Share returns an HTTP client for config, and the config in client-go's form, for clients of
// both modules: pass them to NewForConfigAndClient of client-go's clientsets, and config and
// the HTTP client to that of ours. All share connections, credentials and their rotation;
// rate limits apply to the clients of each module separately.
func Share(config *rest.Config) (*theirrest.Config, *http.Client, error) {
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, nil, err
	}
	return ToConfig(config), client, nil
}
