package transport

import (
	"crypto/tls"
	"net/http"
)

// New returns a round tripper that sends as config says. Where config asks for nothing in
// particular that is http.DefaultTransport.
func New(config *Config) (http.RoundTripper, error) {
	return HTTPWrappersForConfig(config, http.DefaultTransport)
}

// HTTPWrappersForConfig wraps rt with what config adds to requests.
func HTTPWrappersForConfig(config *Config, rt http.RoundTripper) (http.RoundTripper, error) {
	if config.WrapTransport != nil {
		rt = config.WrapTransport(rt)
	}
	return rt, nil
}

// TLSConfigFor returns what config says of TLS, or nil where it says nothing.
func TLSConfigFor(*Config) (*tls.Config, error) {
	return nil, nil
}
