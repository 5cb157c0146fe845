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

func TestClientGoErrors(t *testing.T) {
	compattest.Run(t, testClientGoErrors)
}

// Errors name neither contexts nor files.
func testClientGoErrors(t *testing.T) {
	entry := func(origin string) *api.Context { return &api.Context{LocationOfOrigin: origin} }
	for _, tt := range []struct {
		name    string
		config  api.Config
		context string
		want    string
	}{
		{"missing", api.Config{Contexts: map[string]*api.Context{"there": entry("file")}, CurrentContext: "there"}, "missing",
			`context "missing" does not exist`},
		{"empty", api.Config{Contexts: map[string]*api.Context{"there": entry("file")}, CurrentContext: "there"}, "",
			"invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable"},
		{"no server", api.Config{
			Contexts:       map[string]*api.Context{"there": {Cluster: "c", LocationOfOrigin: "file"}},
			Clusters:       map[string]*api.Cluster{"c": {InsecureSkipTLSVerify: true, LocationOfOrigin: "file"}},
			CurrentContext: "there",
		}, "", `invalid configuration: no server found for cluster "c"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := clientcmd.NewDefaultClientConfig(tt.config, &clientcmd.ConfigOverrides{CurrentContext: tt.context}).ClientConfig()
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %q, want %q", err, tt.want)
			}
		})
	}
}
