package clientcmd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/rest"
)

// InClusterConfig is the client config of a pod's service account.
type InClusterConfig interface {
	ClientConfig
	// Possible reports whether the process runs in a pod with a service account.
	Possible() bool
}

// serviceAccountDirectory contains the credentials of a pod's service account.
const serviceAccountDirectory = "/var/run/secrets/kubernetes.io/serviceaccount"

// inClusterClientConfig is the InClusterConfig of this process. Overrides replace the server, the token and the
// root certificates.
type inClusterClientConfig struct {
	overrides *ConfigOverrides
}

var _ InClusterConfig = &inClusterClientConfig{}

// RawConfig returns an error: there is no kubeconfig.
func (c *inClusterClientConfig) RawConfig() (api.Config, error) {
	return api.Config{}, errors.New("inCluster environment config doesn't support multiple clusters")
}

func (c *inClusterClientConfig) ClientConfig() (*rest.Config, error) {
	config, err := rest.InClusterConfig()
	if err != nil {
		return nil, err
	}
	c.override(config)
	return config, nil
}

func (c *inClusterClientConfig) override(config *rest.Config) {
	if c.overrides == nil {
		return
	}
	override(&config.Host, c.overrides.ClusterInfo.Server)
	override(&config.CAFile, c.overrides.ClusterInfo.CertificateAuthority)
	if user := &c.overrides.AuthInfo; user.Token != "" || user.TokenFile != "" {
		config.BearerToken, config.BearerTokenFile = user.Token, user.TokenFile
	}
}

// Namespace returns the namespace in the environment variable POD_NAMESPACE, or else of the service account, or
// else "default".
func (c *inClusterClientConfig) Namespace() (string, bool, error) {
	if namespace := os.Getenv("POD_NAMESPACE"); namespace != "" {
		return namespace, false, nil
	}
	if data, err := os.ReadFile(filepath.Join(serviceAccountDirectory, "namespace")); err == nil {
		if namespace := strings.TrimSpace(string(data)); namespace != "" {
			return namespace, false, nil
		}
	}
	return "default", false, nil
}

func (c *inClusterClientConfig) ConfigAccess() ConfigAccess {
	return NewDefaultClientConfigLoadingRules()
}

func (c *inClusterClientConfig) Possible() bool {
	info, err := os.Stat(filepath.Join(serviceAccountDirectory, "token"))
	return os.Getenv("KUBERNETES_SERVICE_HOST") != "" && os.Getenv("KUBERNETES_SERVICE_PORT") != "" &&
		err == nil && !info.IsDir()
}
