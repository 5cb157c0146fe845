package rest

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/listwatch/listwatch/runtime/internal/execplugin"
	"github.com/listwatch/listwatch/runtime/internal/pemfile"
	"github.com/listwatch/listwatch/runtime/transport"
)

// addExecProvider configures conf to get credentials from the program of c.
func (c *Config) addExecProvider(conf *transport.Config) error {
	var cluster *execplugin.Cluster
	if c.ExecProvider.ProvideClusterInfo {
		var err error
		if cluster, err = c.execCluster(); err != nil {
			return err
		}
	}
	authenticator, err := execplugin.For(c.ExecProvider, cluster)
	if err != nil {
		return err
	}
	return authenticator.UpdateTransportConfig(conf)
}

// execCluster returns the description of the server for the program.
func (c *Config) execCluster() (*execplugin.Cluster, error) {
	caData := c.CAData
	if err := pemfile.Load(pemfile.Source{Data: &caData, File: c.CAFile}); err != nil {
		return nil, fmt.Errorf("failed to load CA bundle for execProvider: %w", err)
	}
	cluster := &execplugin.Cluster{
		Server:                   c.Host,
		TLSServerName:            c.ServerName,
		InsecureSkipTLSVerify:    c.Insecure,
		CertificateAuthorityData: caData,
		DisableCompression:       c.DisableCompression,
		Config:                   c.ExecProvider.Config,
	}
	if c.Proxy != nil {
		req, err := http.NewRequest(http.MethodGet, c.Host, nil)
		if err != nil {
			return nil, errors.New("failed to create proxy URL request for execProvider: host is not a URL")
		}
		proxy, err := c.Proxy(req)
		if err != nil {
			return nil, fmt.Errorf("failed to get proxy URL for execProvider: %w", err)
		}
		if proxy != nil {
			cluster.ProxyURL = proxy.String()
		}
	}
	return cluster, nil
}
