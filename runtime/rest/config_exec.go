package rest

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/listwatch/listwatch/runtime/clientauthentication"
	"github.com/listwatch/listwatch/runtime/internal/execplugin"
	"github.com/listwatch/listwatch/runtime/internal/pemfile"
	"github.com/listwatch/listwatch/runtime/transport"
)

// addExecProvider configures conf to get credentials from the program of c.
func (c *Config) addExecProvider(conf *transport.Config) error {
	var cluster *clientauthentication.Cluster
	if c.ExecProvider.ProvideClusterInfo {
		var err error
		if cluster, err = ConfigToExecCluster(c); err != nil {
			return err
		}
	}
	authenticator, err := execplugin.For(c.ExecProvider, (*execplugin.Cluster)(cluster))
	if err != nil {
		return err
	}
	return authenticator.UpdateTransportConfig(conf)
}

// ConfigToExecCluster returns the description of the server of config for an exec plugin. It reads CAFile if there
// is no CAData. config must have an ExecProvider.
func ConfigToExecCluster(config *Config) (*clientauthentication.Cluster, error) {
	caData := config.CAData
	if err := pemfile.Load(pemfile.Source{Data: &caData, File: config.CAFile}); err != nil {
		return nil, fmt.Errorf("failed to load CA bundle for execProvider: %w", err)
	}
	cluster := &clientauthentication.Cluster{
		Server:                   config.Host,
		TLSServerName:            config.ServerName,
		InsecureSkipTLSVerify:    config.Insecure,
		CertificateAuthorityData: caData,
		DisableCompression:       config.DisableCompression,
		Config:                   config.ExecProvider.Config,
	}
	if config.Proxy != nil {
		req, err := http.NewRequest(http.MethodGet, config.Host, nil)
		if err != nil {
			return nil, errors.New("failed to create proxy URL request for execProvider: host is not a URL")
		}
		proxy, err := config.Proxy(req)
		if err != nil {
			return nil, fmt.Errorf("failed to get proxy URL for execProvider: %w", err)
		}
		if proxy != nil {
			cluster.ProxyURL = proxy.String()
		}
	}
	return cluster, nil
}

// ExecClusterToConfig returns a config for the server that an exec plugin received the description of. It has no
// credentials.
func ExecClusterToConfig(cluster *clientauthentication.Cluster) (*Config, error) {
	config := &Config{
		Host:               cluster.Server,
		DisableCompression: cluster.DisableCompression,
		TLSClientConfig: TLSClientConfig{
			Insecure:   cluster.InsecureSkipTLSVerify,
			ServerName: cluster.TLSServerName,
			CAData:     cluster.CertificateAuthorityData,
		},
	}
	if cluster.ProxyURL != "" {
		proxy, err := url.Parse(cluster.ProxyURL)
		if err != nil {
			return nil, errors.New("cannot parse proxy URL") // the reason would quote it, with its password
		}
		config.Proxy = http.ProxyURL(proxy)
	}
	return config, nil
}
