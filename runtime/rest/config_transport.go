package rest

import (
	"crypto/tls"
	"errors"
	"net/http"

	"github.com/listwatch/listwatch/runtime/internal/redirect"
	"github.com/listwatch/listwatch/runtime/metrics"
	"github.com/listwatch/listwatch/runtime/transport"
)

// HTTPClientFor returns an HTTP client with the settings of config. If config has none, it is
// http.DefaultClient. Clients of equal configs share connections.
func HTTPClientFor(config *Config) (*http.Client, error) {
	rt, err := TransportFor(config)
	if err != nil {
		return nil, err
	}
	if rt == http.DefaultTransport && config.Timeout <= 0 {
		return http.DefaultClient, nil
	}
	return &http.Client{Transport: rt, Timeout: config.Timeout, CheckRedirect: redirect.Follow}, nil
}

// TransportFor returns a round tripper with the settings of config, except Timeout. If config has none, it is
// http.DefaultTransport.
func TransportFor(config *Config) (http.RoundTripper, error) {
	c, err := config.TransportConfig()
	if err != nil {
		return nil, err
	}
	return transport.New(c)
}

// TLSConfigFor returns the TLS settings of config, or nil if it has none.
func TLSConfigFor(config *Config) (*tls.Config, error) {
	c, err := config.TransportConfig()
	if err != nil {
		return nil, err
	}
	return transport.TLSConfigFor(c)
}

// HTTPWrappersForConfig wraps rt with the round trippers that add to requests: authentication, impersonation,
// the user agent. It is for callers with their own connections (websockets, SPDY); others use TransportFor.
func HTTPWrappersForConfig(config *Config, rt http.RoundTripper) (http.RoundTripper, error) {
	c, err := config.TransportConfig()
	if err != nil {
		return nil, err
	}
	return transport.HTTPWrappersForConfig(c, rt)
}

// TransportConfig returns the part of c that a transport needs.
func (c *Config) TransportConfig() (*transport.Config, error) {
	metrics.EnsureRegistered()
	conf := &transport.Config{
		UserAgent:          c.UserAgent,
		Transport:          c.Transport,
		WrapTransport:      c.WrapTransport,
		DisableCompression: c.DisableCompression,
		TLS:                c.transport(),
		Username:           c.Username,
		Password:           c.Password,
		BearerToken:        c.BearerToken,
		BearerTokenFile:    c.BearerTokenFile,
		Impersonate:        transport.ImpersonationConfig(copyImpersonation(c.Impersonate)),
		Proxy:              c.Proxy,
	}
	if c.Dial != nil {
		conf.DialHolder = &transport.DialHolder{Dial: c.Dial}
	}
	if c.ExecProvider != nil && c.AuthProvider != nil {
		return nil, errors.New("execProvider and authProvider cannot be used in combination")
	}
	if c.ExecProvider != nil {
		if err := c.addExecProvider(conf); err != nil {
			return nil, err
		}
	}
	if c.AuthProvider != nil {
		provider, err := GetAuthProvider(c.Host, c.AuthProvider, c.AuthConfigPersister)
		if err != nil {
			return nil, err
		}
		conf.Wrap(provider.WrapTransport)
	}
	return conf, nil
}

// transport returns c as a configuration of package transport.
func (c TLSClientConfig) transport() transport.TLSConfig {
	return transport.TLSConfig{
		Insecure:   c.Insecure,
		ServerName: c.ServerName,
		CAFile:     c.CAFile,
		CAData:     c.CAData,
		CertFile:   c.CertFile,
		CertData:   c.CertData,
		KeyFile:    c.KeyFile,
		KeyData:    c.KeyData,
		NextProtos: c.NextProtos,
	}
}
