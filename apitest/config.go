package apitest

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/control"
	"github.com/listwatch/listwatch/runtime/rest"
)

// admin and masters are the user of Config and its group, which has all permissions.
const (
	admin   = "admin"
	masters = "system:masters"
)

// URL returns the root URL of the server: https://127.0.0.1:port, or http with [WithPlainHTTP].
func (s *Server) URL() string { return s.url }

// Config returns a client configuration with all permissions. Each call returns a new one, which the caller
// owns. It stays valid across [Server.Restart].
func (s *Server) Config() *rest.Config { return s.ConfigFor(admin, masters) }

// ConfigFor returns a client configuration for a user in some groups. The user need not exist. The server adds
// the group system:authenticated, and the groups of service accounts to a service account
// ("system:serviceaccount:namespace:name", which needs no object). Roles and bindings determine the user's
// permissions. The caller owns the result.
func (s *Server) ConfigFor(name string, groups ...string) *rest.Config {
	return &rest.Config{
		Host:            s.url,
		BearerToken:     s.do(control.Token, control.Argument{User: name, Groups: groups}).Text,
		TLSClientConfig: rest.TLSClientConfig{CAData: slices.Clone(s.ca)},
	}
}

// Kubeconfig returns the content of a kubeconfig file with all permissions, for kubectl and clients of client-go and
// controller-runtime, whose clientcmd.RESTConfigFromKubeConfig reads it.
func (s *Server) Kubeconfig() ([]byte, error) { return s.KubeconfigFor(admin, masters) }

// KubeconfigFor returns the content of a kubeconfig file for a user as in [Server.ConfigFor].
func (s *Server) KubeconfigFor(name string, groups ...string) ([]byte, error) {
	result, err := s.call(context.Background(), control.Kubeconfig, control.Argument{User: name, Groups: groups})
	return []byte(result.Text), err
}

// WriteKubeconfig writes the result of [Server.Kubeconfig] to a file that only its owner can read. An existing
// file is overwritten and made private. Its directory must exist.
func (s *Server) WriteKubeconfig(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	_, err = s.call(context.Background(), control.WriteKubeconfig, control.Argument{Path: path})
	return err
}

// Certificate returns a client certificate of a user in some groups: rest.Config has fields CertData and KeyData
// for it, which replace the token. The user need not exist. All servers of the process accept it. Other than the
// users of [Server.ConfigFor], a service account gets no groups except those given and system:authenticated.
func (s *Server) Certificate(name string, groups ...string) (*Certificate, error) {
	result, err := s.call(context.Background(), control.Sign, control.Argument{User: name, Groups: groups})
	return (*Certificate)(result.Certificate), err
}
