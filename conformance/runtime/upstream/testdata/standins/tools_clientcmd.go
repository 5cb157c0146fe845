package clientcmd

import (
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	. "github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// faults are those of a whole config.
func faults(config api.Config) []error {
	err := Validate(config)
	if all, ok := err.(utilerrors.Aggregate); ok {
		return all.Errors()
	}
	return nil
}

func validateAuthInfo(name string, user api.AuthInfo) []error {
	return faults(api.Config{AuthInfos: map[string]*api.AuthInfo{name: &user}})
}

func validateClusterInfo(name string, cluster api.Cluster) []error {
	return faults(api.Config{Clusters: map[string]*api.Cluster{name: &cluster}})
}

// validateContext is about references only: what they refer to is whole.
func validateContext(name string, context api.Context, config api.Config) []error {
	only := api.Config{
		Contexts:  map[string]*api.Context{name: &context},
		AuthInfos: map[string]*api.AuthInfo{},
		Clusters:  map[string]*api.Cluster{},
	}
	for user := range config.AuthInfos {
		only.AuthInfos[user] = api.NewAuthInfo()
	}
	for cluster := range config.Clusters {
		only.Clusters[cluster] = &api.Cluster{Server: "https://server"}
	}
	return faults(only)
}

// cleanANSIEscapeCodes is what becomes of a hint.
func cleanANSIEscapeCodes(hint string) string {
	config, err := NewDefaultClientConfig(api.Config{}, &ConfigOverrides{
		ClusterInfo: api.Cluster{Server: "https://server"},
		AuthInfo: api.AuthInfo{Exec: &api.ExecConfig{
			Command: "program", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: api.NeverExecInteractiveMode, InstallHint: hint,
		}},
	}).ClientConfig()
	if err != nil {
		return err.Error()
	}
	return config.ExecProvider.InstallHint
}
