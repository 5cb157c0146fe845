package embedded

import (
	"errors"
	"fmt"
	"os"

	"k8s.io/apiserver/pkg/authentication/user"
	clientgo "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/listwatch/listwatch/runtime/rest"
)

// URL returns the root URL of the server: https://127.0.0.1:port, or http with [WithPlainHTTP].
func (s *Server) URL() string {
	if s.certificate == nil {
		return "http://" + s.address
	}
	return "https://" + s.address
}

// Config returns a client configuration with all permissions. Each call returns a new one, which the caller
// owns. It stays valid across [Server.Restart].
func (s *Server) Config() *rest.Config {
	return s.ConfigFor(admin.Name, user.SystemPrivilegedGroup)
}

// ConfigFor returns a client configuration for a user in some groups. The user need not exist. The server adds
// the group system:authenticated, and the groups of service accounts to a service account
// ("system:serviceaccount:namespace:name", which needs no object). Roles and bindings determine the user's
// permissions; see [WithAuthorizer]. The caller owns the result.
func (s *Server) ConfigFor(name string, groups ...string) *rest.Config {
	config := &rest.Config{
		Host:        s.URL(),
		BearerToken: s.users.token(name, groups),
	}
	if s.certificate != nil {
		config.CAData = s.certificate.ca
	}
	s.port.reach(config)
	return config
}

// RESTConfig returns a configuration with all permissions for clients of client-go and controller-runtime. It is
// [Server.Config] in their type, without a limit of requests: QPS is -1.
func (s *Server) RESTConfig() *clientgo.Config {
	return s.RESTConfigFor(admin.Name, user.SystemPrivilegedGroup)
}

// RESTConfigFor returns a configuration for clients of client-go and controller-runtime, for a user as in
// [Server.ConfigFor]. It sets no limit of requests: QPS is -1. The caller owns the result.
func (s *Server) RESTConfigFor(name string, groups ...string) *clientgo.Config {
	config := s.ConfigFor(name, groups...)
	return &clientgo.Config{
		Host:            config.Host,
		BearerToken:     config.BearerToken,
		TLSClientConfig: clientgo.TLSClientConfig{CAData: config.CAData},
		Transport:       config.Transport,
		QPS:             -1,
	}
}

// Kubeconfig returns the content of a kubeconfig file with all permissions, for kubectl and clients of
// client-go.
func (s *Server) Kubeconfig() ([]byte, error) {
	return s.KubeconfigFor(admin.Name, user.SystemPrivilegedGroup)
}

// KubeconfigFor returns the content of a kubeconfig file for a user as in [Server.ConfigFor].
func (s *Server) KubeconfigFor(name string, groups ...string) ([]byte, error) {
	const cluster = "apitest"
	config := s.ConfigFor(name, groups...)
	out, err := clientcmd.Write(clientcmdapi.Config{
		Clusters: map[string]*clientcmdapi.Cluster{
			cluster: {Server: config.Host, CertificateAuthorityData: config.CAData},
		},
		AuthInfos: map[string]*clientcmdapi.AuthInfo{
			name: {Token: config.BearerToken},
		},
		Contexts: map[string]*clientcmdapi.Context{
			cluster: {Cluster: cluster, AuthInfo: name},
		},
		CurrentContext: cluster,
	})
	if err != nil {
		return nil, fmt.Errorf("write a kubeconfig: %w", err)
	}
	return out, nil
}

// WriteKubeconfig writes the result of [Server.Kubeconfig] to a file that only its owner can read. An existing
// file is overwritten and made private. Its directory must exist.
func (s *Server) WriteKubeconfig(path string) error {
	out, err := s.Kubeconfig()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("write a kubeconfig: %w", err)
	}
	// The token must not be in the file before its mode is set.
	if err = errors.Join(file.Chmod(0o600), file.Truncate(0)); err == nil {
		_, err = file.Write(out)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write a kubeconfig: %w", err)
	}
	return nil
}
