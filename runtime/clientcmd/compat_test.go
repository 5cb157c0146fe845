package clientcmd_test

import (
	"testing"

	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/compattest"
)

func TestClientGoMissingUser(t *testing.T) {
	compattest.Run(t, func(t *testing.T) {
		config := api.NewConfig()
		config.Clusters["cluster"] = &api.Cluster{Server: "https://host"}
		config.Contexts["context"] = &api.Context{Cluster: "cluster", AuthInfo: "missing"}
		config.CurrentContext = "context"
		got, err := clientcmd.NewDefaultClientConfig(*config, &clientcmd.ConfigOverrides{}).ClientConfig()
		if err != nil || got.Host != "https://host" || got.BearerToken != "" {
			t.Errorf("config %v, error %v; want an anonymous client of https://host", got, err)
		}
	})
}
