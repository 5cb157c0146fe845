package rest

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// DefaultServerURL returns the URL of the server's root for a host, a host:port pair or a URL, and the path of
// the API's version below it. If host has no scheme, it becomes https if defaultTLS is set, otherwise http. The
// path of a URL is kept as the prefix of every request's path.
func DefaultServerURL(host, apiPath string, groupVersion schema.GroupVersion, defaultTLS bool) (*url.URL, string, error) {
	if host == "" {
		return nil, "", fmt.Errorf("host must be a URL or a host:port pair")
	}
	base, err := url.Parse(host)
	if err != nil || base.Scheme == "" || base.Host == "" {
		scheme := "http://"
		if defaultTLS {
			scheme = "https://"
		}
		base, err = url.Parse(scheme + host)
		if err != nil || base.Path != "" && base.Path != "/" {
			return nil, "", fmt.Errorf("host must be a URL or a host:port pair: %q", secret.Host(host))
		}
	}
	return base, DefaultVersionedAPIPath(apiPath, groupVersion), nil
}

// DefaultVersionedAPIPath returns the path of a version of an API: "/api/v1",
// "/apis/apps/v1".
func DefaultVersionedAPIPath(apiPath string, groupVersion schema.GroupVersion) string {
	return path.Join("/", apiPath, groupVersion.Group, groupVersion.Version)
}

// DefaultServerUrlFor is DefaultServerURL with the host, path and version of config. TLS is the default if
// config has root certificates or a client certificate or is Insecure.
func DefaultServerUrlFor(config *Config) (*url.URL, string, error) {
	host := config.Host
	if host == "" {
		host = "localhost"
	}
	var groupVersion schema.GroupVersion
	if config.GroupVersion != nil {
		groupVersion = *config.GroupVersion
	}
	hasCA := config.CAFile != "" || len(config.CAData) > 0
	hasCert := config.CertFile != "" || len(config.CertData) > 0
	return DefaultServerURL(host, config.APIPath, groupVersion, hasCA || hasCert || config.Insecure)
}

// IsConfigTransportTLS reports whether a client of config encrypts its connections, even if it does not verify
// the server (Insecure).
func IsConfigTransportTLS(config Config) bool {
	base, _, err := DefaultServerUrlFor(&config)
	return err == nil && strings.EqualFold(base.Scheme, "https")
}
