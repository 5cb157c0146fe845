package clientcmd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret"
	"github.com/listwatch/listwatch/runtime/rest"
)

// pod is an InClusterConfig.
type pod struct {
	inClusterClientConfig
	possible bool
}

func (p *pod) Possible() bool { return p.possible }

func (p *pod) ClientConfig() (*rest.Config, error) {
	config := &rest.Config{Host: "https://pod", BearerToken: "pod", BearerTokenFile: "pod-file", TLSClientConfig: rest.TLSClientConfig{CAFile: "pod-ca"}}
	p.override(config)
	return config, nil
}

func TestPod(t *testing.T) {
	t.Setenv("POD_NAMESPACE", "pod-namespace")
	with := func(server, namespace string) *api.Config {
		config := api.NewConfig()
		config.CurrentContext = "c"
		config.Contexts["c"] = &api.Context{Cluster: "c", Namespace: namespace}
		config.Clusters["c"] = &api.Cluster{Server: server}
		return config
	}
	for _, test := range []struct {
		name            string
		config          *api.Config
		overrides       ConfigOverrides
		possible        bool
		host, namespace string
		empty           bool
	}{
		{name: "no files, no pod", config: api.NewConfig(), empty: true},
		{name: "no files", config: api.NewConfig(), possible: true, host: "https://pod", namespace: "pod-namespace"},
		{name: "a file", config: with("https://file", ""), possible: true, host: "https://file", namespace: "pod-namespace"},
		{name: "a file with a namespace", config: with("https://file", "file"), possible: true, host: "https://file", namespace: "file"},
		{name: "a file with the default", config: with("https://file", "default"), possible: true, host: "https://file", namespace: "default"},
		{name: "a file, no pod", config: with("https://file", ""), host: "https://file", namespace: "default"},
		{name: "flags", config: api.NewConfig(), possible: true, overrides: ConfigOverrides{Context: api.Context{Namespace: "flag"}, AuthInfo: api.AuthInfo{Token: "flag"}}, host: "https://pod", namespace: "flag"},
		{name: "server", config: api.NewConfig(), possible: true, overrides: ConfigOverrides{ClusterInfo: api.Cluster{Server: "https://flag"}}, host: "https://flag", namespace: "pod-namespace"},
	} {
		t.Run(test.name, func(t *testing.T) {
			loader := &ClientConfigGetter{kubeconfigGetter: func() (*api.Config, error) { return test.config, nil }}
			c := &DeferredLoadingClientConfig{loader: loader, overrides: &test.overrides, icc: &pod{inClusterClientConfig{&test.overrides}, test.possible}}
			config, err := c.ClientConfig()
			if IsEmptyConfig(err) != test.empty || err == nil && config.Host != test.host {
				t.Errorf("got %v, %v", config, err)
			}
			namespace, _, err := c.Namespace()
			if IsEmptyConfig(err) != test.empty || namespace != test.namespace {
				t.Errorf("got namespace %q, %v", namespace, err)
			}
		})
	}
}

func TestPodOverrides(t *testing.T) {
	for _, test := range []struct {
		name      string
		overrides *ConfigOverrides
		want      rest.Config
	}{
		{"none", nil, rest.Config{Host: "https://pod", BearerToken: "pod", BearerTokenFile: "pod-file", TLSClientConfig: rest.TLSClientConfig{CAFile: "pod-ca"}}},
		{"token", &ConfigOverrides{AuthInfo: api.AuthInfo{Token: "flag"}}, rest.Config{Host: "https://pod", BearerToken: "flag", TLSClientConfig: rest.TLSClientConfig{CAFile: "pod-ca"}}},
		{"file", &ConfigOverrides{AuthInfo: api.AuthInfo{TokenFile: "flag"}}, rest.Config{Host: "https://pod", BearerTokenFile: "flag", TLSClientConfig: rest.TLSClientConfig{CAFile: "pod-ca"}}},
		{"server and roots", &ConfigOverrides{ClusterInfo: api.Cluster{Server: "https://flag", CertificateAuthority: "flag"}}, rest.Config{Host: "https://flag", BearerToken: "pod", BearerTokenFile: "pod-file", TLSClientConfig: rest.TLSClientConfig{CAFile: "flag"}}},
	} {
		got, err := (&pod{inClusterClientConfig{test.overrides}, true}).ClientConfig()
		if err != nil || got.Host != test.want.Host || got.BearerToken != test.want.BearerToken || got.BearerTokenFile != test.want.BearerTokenFile || got.CAFile != test.want.CAFile {
			t.Errorf("%s: got %v, want %v", test.name, got, &test.want)
		}
	}
	c := &inClusterClientConfig{}
	if _, err := c.RawConfig(); err == nil || c.ConfigAccess() == nil {
		t.Error("a pod has a kubeconfig")
	}
}

func TestLoadsOnce(t *testing.T) {
	loads := 0
	fail := true
	loader := &ClientConfigGetter{kubeconfigGetter: func() (*api.Config, error) {
		loads++
		if fail {
			return nil, errors.New("fails")
		}
		return Load([]byte(secretConfig))
	}}
	c := NewNonInteractiveDeferredLoadingClientConfig(loader, nil)
	if _, err := c.ClientConfig(); err == nil {
		t.Error("no error")
	}
	fail = false
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if _, err := c.ClientConfig(); err != nil {
				t.Error(err)
			}
			if _, _, err := c.Namespace(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if loads != 2 {
		t.Errorf("loaded %d times", loads)
	}
}

// TestClientConfigIsACopy: the caller may modify what ClientConfig returns.
func TestClientConfigIsACopy(t *testing.T) {
	config, err := Load([]byte(secretConfig))
	if err != nil {
		t.Fatal(err)
	}
	config.AuthInfos["c"].Impersonate, config.AuthInfos["c"].ImpersonateGroups = "name", []string{"group"}
	config.AuthInfos["c"].ImpersonateUserExtra = map[string][]string{"a": {"b"}}
	before, err := Write(*config)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewDefaultClientConfig(*config, nil).ClientConfig()
	if err != nil {
		t.Fatal(err)
	}
	c.ExecProvider.Args[0], c.Impersonate.Groups[0], c.Impersonate.Extra["a"][0] = "changed", "changed", "changed"
	after, err := Write(*config)
	if err != nil || string(before) != string(after) {
		t.Errorf("the kubeconfig has changed: %v", err)
	}
}

func TestPrompt(t *testing.T) {
	config, err := Load([]byte("current-context: c\nclusters: [{name: c, cluster: {server: 'https://c'}}]\ncontexts: [{name: c, context: {cluster: c, user: c}}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	if os.Stdin, err = os.Open(os.DevNull); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Stdin.Close() }()
	_, err = NewInteractiveClientConfig(*config, "", nil, strings.NewReader("name\n"), nil).ClientConfig()
	if err == nil || !strings.Contains(err.Error(), "error reading input for Password") {
		t.Errorf("got %v", err)
	}
	_, err = NewInteractiveClientConfig(*config, "", nil, strings.NewReader(""), nil).ClientConfig()
	if err == nil || !strings.Contains(err.Error(), "reading the user name") {
		t.Errorf("got %v", err)
	}
	c := &DirectClientConfig{config: *config, fallbackReader: strings.NewReader(""), prompted: promptedCredentials{"name", secret.New(planted)}}
	got, err := c.ClientConfig()
	if err != nil || got.Username != "name" || got.Password != planted {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestWarning(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "missing"))
	rules := NewDefaultClientConfigLoadingRules()
	rules.MigrationRules = nil
	var missing MissingConfigError
	rules.Warner = func(err error) { _ = errors.As(err, &missing) }
	if _, err := rules.Load(); err != nil || len(missing.Missing) != 1 || !strings.Contains(missing.Error(), "missing") {
		t.Errorf("got %v, %v", missing, err)
	}
	rules.Warner = nil
	rules.Warner.Warn(missing)
}
