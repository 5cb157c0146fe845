package clientcmd

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
	"github.com/listwatch/listwatch/runtime/rest"
)

// secretConfig is a kubeconfig with a secret in each place that may have one.
const secretConfig = `
current-context: c
clusters:
- name: c
  cluster:
    server: https://name:` + planted + `@server
    proxy-url: http://name:` + planted + `@proxy
    extensions: [{name: client.authentication.k8s.io/exec, extension: {a: ` + planted + `}}]
users:
- name: c
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: program, args: [` + planted + `], env: [{name: a, value: ` + planted + `}], interactiveMode: Never}
    client-key-data: czNjcjN0
    extensions: [{name: a, extension: ` + planted + `}]
- name: d
  user:
    token: ` + planted + `
    auth-provider: {name: oidc, config: {id-token: ` + planted + `}}
- name: e
  user: {username: name, password: ` + planted + `}
contexts:
- name: c
  context: {cluster: c, user: c, extensions: [{name: a, extension: ` + planted + `}]}
preferences: {extensions: [{name: a, extension: ` + planted + `}]}
extensions: [{name: a, extension: ` + planted + `}]
`

func TestNothingSecretIsPrinted(t *testing.T) {
	config, err := Load([]byte(secretConfig))
	if err != nil {
		t.Fatal(err)
	}
	overrides := ConfigOverrides{
		AuthInfo:    api.AuthInfo{Token: planted, Password: planted, ClientKeyData: []byte(planted)},
		ClusterInfo: api.Cluster{Server: "https://name:" + planted + "@server", ProxyURL: "http://name:" + planted + "@proxy"},
		Context:     *config.Contexts["c"],
	}
	direct := NewDefaultClientConfig(*config, &overrides).(*DirectClientConfig)
	direct.prompted = promptedCredentials{username: "name", password: secret.New(planted)}
	loader := &ClientConfigGetter{kubeconfigGetter: func() (*api.Config, error) { return config, nil }}
	deferred := NewNonInteractiveDeferredLoadingClientConfig(loader, &overrides)
	if _, err = deferred.RawConfig(); err != nil {
		t.Fatal(err)
	}
	restConfig, err := NewDefaultClientConfig(*config, nil).ClientConfig()
	if err != nil {
		t.Fatal(err)
	}
	cluster, err := rest.ConfigToExecCluster(restConfig)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{
		config, *config, config.Contexts["c"], *config.Contexts["c"], config.Preferences, &config.Preferences,
		config.Clusters["c"], config.AuthInfos["c"], config.AuthInfos["d"], config.AuthInfos["e"],
		overrides, &overrides, direct, *direct, deferred, struct{ C *DirectClientConfig }{direct}, struct{ O ConfigOverrides }{overrides},
		&persister{access: loader}, restConfig, cluster, *cluster,
	} {
		secrettest.Check(t, v, planted)
	}
	for _, v := range []any{overrides, &overrides, direct, deferred, restConfig, struct{ O ConfigOverrides }{overrides}} {
		secrettest.CheckJSON(t, v, planted)
	}
}

// TestErrorsShowNoSecret changes the config in every way that a function refuses.
func TestErrorsShowNoSecret(t *testing.T) {
	for name, change := range map[string]func(*api.Config){
		"no context":   func(c *api.Config) { delete(c.Contexts, "c") },
		"no cluster":   func(c *api.Config) { delete(c.Clusters, "c") },
		"no user":      func(c *api.Config) { delete(c.AuthInfos, "c") },
		"two methods":  func(c *api.Config) { c.AuthInfos["c"].Token, c.AuthInfos["c"].Password = planted, planted },
		"proxy":        func(c *api.Config) { c.Clusters["c"].ProxyURL = "http://name:" + planted + "@proxy:%zz" },
		"proxy scheme": func(c *api.Config) { c.Clusters["c"].ProxyURL = "ftp://name:" + planted + "@proxy" },
		"files and data": func(c *api.Config) {
			c.AuthInfos["c"].ClientCertificate, c.AuthInfos["c"].ClientKey = "/missing", "/missing"
		},
		"exec":            func(c *api.Config) { c.AuthInfos["c"].Exec.Command = "" },
		"nameless":        func(c *api.Config) { c.Contexts[""] = c.Contexts["c"] },
		"nil entry":       func(c *api.Config) { c.Clusters["nil"] = nil },
		"not an instance": func(c *api.Config) { c.Contexts["c"].Cluster = "other" },
	} {
		t.Run(name, func(t *testing.T) {
			config, err := Load([]byte(secretConfig))
			if err != nil {
				t.Fatal(err)
			}
			change(config)
			_, clientErr := NewDefaultClientConfig(*config, &ConfigOverrides{}).ClientConfig()
			_, writeErr := Write(*config)
			usableErr := ConfirmUsable(*config, "")
			var validateErr error
			if name != "nil entry" {
				validateErr = Validate(*config)
			}
			errs := []error{clientErr, writeErr, usableErr, validateErr, api.FlattenConfig(&api.Config{AuthInfos: config.AuthInfos}), api.MinifyConfig(config)}
			failed := false
			for _, err := range errs {
				failed = failed || err != nil
				secrettest.Check(t, err, planted)
			}
			if !failed {
				t.Error("nothing failed")
			}
		})
	}
}

// TestShownConfig: what is made for display has no secret except in what nobody knows.
func TestShownConfig(t *testing.T) {
	config, err := Load([]byte(secretConfig))
	if err != nil {
		t.Fatal(err)
	}
	api.ShortenConfig(config)
	if err := api.RedactSecrets(config); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"d", "e"} {
		text, err := Write(api.Config{AuthInfos: map[string]*api.AuthInfo{name: config.AuthInfos[name]}})
		if err != nil || strings.Contains(string(text), planted) {
			t.Errorf("%v\n%s", err, text)
		}
	}
}
