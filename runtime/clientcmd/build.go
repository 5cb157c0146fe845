package clientcmd

import (
	"os"

	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/rest"
)

// BuildConfigFromFlags returns the configuration of a client from the values of two flags, each of which may be
// empty: the server's URL and the path of a kubeconfig. If both are empty, it is the configuration of the pod's
// service account.
func BuildConfigFromFlags(masterURL, kubeconfigPath string) (*rest.Config, error) {
	if kubeconfigPath == "" && masterURL == "" {
		klog.Warning("Neither --kubeconfig nor --master was specified.  Using the inClusterConfig.  This might not work.")
		config, err := rest.InClusterConfig()
		if err == nil {
			return config, nil
		}
		klog.Warning("error creating inClusterConfig, falling back to default config: ", err)
	}
	return NewNonInteractiveDeferredLoadingClientConfig(
		&ClientConfigLoadingRules{ExplicitPath: kubeconfigPath},
		&ConfigOverrides{ClusterInfo: api.Cluster{Server: masterURL}}).ClientConfig()
}

// BuildConfigFromKubeconfigGetter returns the configuration of a client for the current context of a kubeconfig
// and for the server at masterURL, if that is not empty.
func BuildConfigFromKubeconfigGetter(masterURL string, kubeconfigGetter KubeconfigGetter) (*rest.Config, error) {
	return NewNonInteractiveDeferredLoadingClientConfig(
		&ClientConfigGetter{kubeconfigGetter: kubeconfigGetter},
		&ConfigOverrides{ClusterInfo: api.Cluster{Server: masterURL}}).ClientConfig()
}

// RESTConfigFromKubeConfig returns the configuration of a client for the current context of a kubeconfig.
func RESTConfigFromKubeConfig(configBytes []byte) (*rest.Config, error) {
	config, err := NewClientConfigFromBytes(configBytes)
	if err != nil {
		return nil, err
	}
	return config.ClientConfig()
}

var (
	// ClusterDefaults is the server in the environment variable KUBERNETES_MASTER, or else
	// http://localhost:8080.
	//
	// Deprecated: name the server in a kubeconfig or in ConfigOverrides.
	ClusterDefaults = api.Cluster{Server: defaultServer()}

	// DefaultClientConfig is a client config for ClusterDefaults without credentials.
	//
	// Deprecated: name the server in a kubeconfig or in ConfigOverrides.
	DefaultClientConfig = DirectClientConfig{
		config:       *api.NewConfig(),
		overrides:    &ConfigOverrides{ClusterDefaults: ClusterDefaults},
		configAccess: NewDefaultClientConfigLoadingRules(),
	}
)

func defaultServer() string {
	if server := os.Getenv("KUBERNETES_MASTER"); server != "" {
		return server
	}
	return "http://localhost:8080"
}
