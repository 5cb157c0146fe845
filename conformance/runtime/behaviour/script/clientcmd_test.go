package script_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

const kubeconfig = `apiVersion: v1
kind: Config
current-context: c
clusters:
- {name: k, cluster: {server: "https://k.example:1234"}}
- {name: bad-ca, cluster: {server: "https://k", certificate-authority: missing.crt}}
- {name: no-server, cluster: {}}
- {name: both-ca, cluster: {server: "https://k", certificate-authority: ca.crt, certificate-authority-data: aGVsbG8=, insecure-skip-tls-verify: true}}
- {name: proxied, cluster: {server: "https://k", proxy-url: "ftp://proxy"}}
- {name: insecure, cluster: {server: "https://k", insecure-skip-tls-verify: true, tls-server-name: other}}
users:
- {name: u, user: {token: t}}
- {name: token-file, user: {tokenFile: missing.token}}
- {name: both, user: {token: t, username: x, password: secret}}
- {name: token-and-cert, user: {token: t, client-certificate: missing.crt, client-key: missing.key}}
- {name: cert-only, user: {client-certificate-data: aGVsbG8=}}
- {name: cert-missing, user: {client-certificate: missing.crt, client-key: missing.key}}
- {name: impersonated, user: {token: t, as: someone, as-uid: "5", as-groups: [g], as-user-extra: {a: [b]}}}
- {name: groups-only, user: {token: t, as-groups: [g]}}
- {name: exec-empty, user: {exec: {}}}
- {name: exec-no-version, user: {exec: {command: x, interactiveMode: Never}}}
- {name: exec-no-mode, user: {exec: {command: x, apiVersion: client.authentication.k8s.io/v1}}}
- {name: exec-bad-mode, user: {exec: {command: x, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Sometimes}}}
- {name: exec-env, user: {exec: {command: x, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, env: [{value: x}]}}}
- {name: exec-alpha, user: {exec: {command: x, apiVersion: client.authentication.k8s.io/v1alpha1, interactiveMode: Never}}}
- {name: exec-and-provider, user: {exec: {command: x, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}, auth-provider: {name: oidc}}}
- {name: provider, user: {auth-provider: {name: nothing}}}
- {name: gcp, user: {auth-provider: {name: gcp}}}
contexts:
- {name: c, context: {cluster: k, user: u, namespace: ns}}
- {name: no-user, context: {cluster: k}}
- {name: missing-user, context: {cluster: k, user: nobody}}
- {name: missing-cluster, context: {cluster: nowhere, user: u}}
- {name: no-cluster, context: {user: u}}
- {name: bad-namespace, context: {cluster: k, user: u, namespace: "NOT VALID"}}
- {name: "", context: {cluster: k, user: u}}
- {name: no-server, context: {cluster: no-server, user: u}}
- {name: bad-ca, context: {cluster: bad-ca, user: u}}
- {name: both-ca, context: {cluster: both-ca, user: u}}
- {name: proxied, context: {cluster: proxied, user: u}}
- {name: insecure, context: {cluster: insecure, user: u}}
`

var users = []string{
	"token-file", "both", "token-and-cert", "cert-only", "cert-missing", "impersonated", "groups-only", "exec-empty",
	"exec-no-version", "exec-no-mode", "exec-bad-mode", "exec-env", "exec-alpha", "exec-and-provider", "provider", "gcp",
}

// config records a client configuration and what comes of it.
func (p *tape) config(name string, c *rest.Config, err error) {
	p.err(name, err)
	if err != nil {
		return
	}
	p.printf("  host %s path %s user %s/%s token %q file %q ns-independent %v", c.Host, c.APIPath, c.Username, c.Password, c.BearerToken, c.BearerTokenFile, c.Insecure)
	p.printf("  impersonate %q %q %q %q", c.Impersonate.UserName, c.Impersonate.UID, c.Impersonate.Groups, c.Impersonate.Extra)
	p.printf("  qps %v burst %v timeout %v server name %q", c.QPS, c.Burst, c.Timeout, c.ServerName)
	p.printf("  ca %q %q cert %q %q key %q %q", c.CAFile, c.CAData, c.CertFile, c.CertData, c.KeyFile, c.KeyData)
	_, err = rest.TransportFor(c)
	p.err("  TransportFor", err)
	_, err = rest.TLSConfigFor(c)
	p.err("  TLSConfigFor", err)
}

// home sets a home directory and an environment without any configuration, and returns the directory.
func home(t *testing.T, p *tape) string {
	dir := t.TempDir()
	p.hide(dir, "DIR")
	for _, name := range []string{"KUBECONFIG", "KUBERNETES_MASTER", "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "HTTP_PROXY", "HTTPS_PROXY"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", dir)
	t.Chdir(dir)
	return dir
}

func write(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestKubeconfigs(t *testing.T) {
	load := func(p *tape, file string, overrides *clientcmd.ConfigOverrides) {
		c := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(&clientcmd.ClientConfigLoadingRules{ExplicitPath: file}, overrides)
		config, err := c.ClientConfig()
		p.config("ClientConfig", config, err)
		namespace, overridden, err := c.Namespace()
		p.printf("  namespace %q %v", namespace, overridden)
		p.err("  Namespace", err)
	}
	for _, name := range []string{"c", "no-user", "missing-user", "missing-cluster", "no-cluster", "bad-namespace", "no-server", "bad-ca", "both-ca", "proxied", "insecure", "missing"} {
		run(t, "context "+name, func(t *testing.T, p *tape) {
			file := write(t, filepath.Join(home(t, p), "k"), kubeconfig)
			load(p, file, &clientcmd.ConfigOverrides{CurrentContext: name})
		})
	}
	for _, name := range users {
		run(t, "user "+name, func(t *testing.T, p *tape) {
			file := write(t, filepath.Join(home(t, p), "k"), kubeconfig)
			load(p, file, &clientcmd.ConfigOverrides{Context: clientcmdapi.Context{AuthInfo: name}})
		})
	}
	for name, text := range map[string]string{
		"empty":             "",
		"broken YAML":       "a: [",
		"another kind":      `{"apiVersion":"v1","kind":"Pod"}`,
		"another version":   `{"apiVersion":"v2","kind":"Config"}`,
		"no kind":           `{"current-context":"x"}`,
		"wrong field":       `{"apiVersion":"v1","kind":"Config","clusters":"x"}`,
		"unknown field":     `{"apiVersion":"v1","kind":"Config","cluster":"x"}`,
		"no context":        `{"apiVersion":"v1","kind":"Config","clusters":[{"name":"k","cluster":{"server":"https://k"}}]}`,
		"missing context":   `{"apiVersion":"v1","kind":"Config","current-context":"x"}`,
		"duplicate cluster": `{"apiVersion":"v1","kind":"Config","current-context":"c","contexts":[{"name":"c","context":{"cluster":"k"}}],"clusters":[{"name":"k","cluster":{"server":"https://a"}},{"name":"k","cluster":{"server":"https://b"}}]}`,
		"bad data":          `{"apiVersion":"v1","kind":"Config","current-context":"c","contexts":[{"name":"c","context":{"cluster":"k"}}],"clusters":[{"name":"k","cluster":{"server":"https://a","certificate-authority-data":"aGVsbG8="}}]}`,
		"no base64":         `{"apiVersion":"v1","kind":"Config","clusters":[{"name":"k","cluster":{"certificate-authority-data":"%"}}]}`,
		"bad server":        `{"apiVersion":"v1","kind":"Config","current-context":"c","contexts":[{"name":"c","context":{"cluster":"k"}}],"clusters":[{"name":"k","cluster":{"server":"://"}}]}`,
		"no scheme":         `{"apiVersion":"v1","kind":"Config","current-context":"c","contexts":[{"name":"c","context":{"cluster":"k"}}],"clusters":[{"name":"k","cluster":{"server":"k:80"}}]}`,
	} {
		run(t, "file "+name, func(t *testing.T, p *tape) {
			file := write(t, filepath.Join(home(t, p), "k"), text)
			load(p, file, &clientcmd.ConfigOverrides{})
			_, err := clientcmd.LoadFromFile(file)
			p.err("LoadFromFile", err)
			config, err := clientcmd.RESTConfigFromKubeConfig([]byte(text))
			p.config("RESTConfigFromKubeConfig", config, err)
			config, err = clientcmd.BuildConfigFromFlags("", file)
			p.config("BuildConfigFromFlags", config, err)
			config, err = clientcmd.BuildConfigFromFlags("https://flag", file)
			p.config("BuildConfigFromFlags, server", config, err)
		})
	}
	run(t, "no file", func(t *testing.T, p *tape) {
		dir := home(t, p)
		load(p, filepath.Join(dir, "none"), nil)
		_, err := clientcmd.LoadFromFile(filepath.Join(dir, "none"))
		p.err("LoadFromFile", err)
		load(p, "", nil)
		config, err := clientcmd.BuildConfigFromFlags("", "")
		p.config("BuildConfigFromFlags", config, err)
		config, err = clientcmd.BuildConfigFromFlags("https://flag", "")
		p.config("BuildConfigFromFlags, server", config, err)
		config, err = rest.InClusterConfig()
		p.config("InClusterConfig", config, err)
		t.Setenv("KUBERNETES_MASTER", "https://environment")
		load(p, "", nil)
		rules := clientcmd.NewDefaultClientConfigLoadingRules()
		config, err = clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
		p.config("default rules", config, err)
		t.Setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
		t.Setenv("KUBERNETES_SERVICE_PORT", "443")
		config, err = rest.InClusterConfig()
		p.config("InClusterConfig", config, err)
	})
	run(t, "directory", func(t *testing.T, p *tape) {
		load(p, home(t, p), nil)
	})
	run(t, "several files", func(t *testing.T, p *tape) {
		dir := home(t, p)
		first := write(t, filepath.Join(dir, "first"), `{"apiVersion":"v1","kind":"Config","clusters":[{"name":"k","cluster":{"server":"https://first","certificate-authority":"ca"}}]}`)
		second := write(t, filepath.Join(dir, "sub", "second"), strings.ReplaceAll(kubeconfig, "missing.crt", "sub.crt"))
		t.Setenv("KUBECONFIG", strings.Join([]string{first, filepath.Join(dir, "none"), second}, string(filepath.ListSeparator)))
		rules := clientcmd.NewDefaultClientConfigLoadingRules()
		p.printf("precedence %v default %q explicit %v %v", rules.GetLoadingPrecedence(), rules.GetDefaultFilename(), rules.IsExplicitFile(), rules.GetExplicitFile())
		p.printf("starting %v", func() error { _, err := rules.GetStartingConfig(); return err }())
		config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
		p.config("default rules", config, err)
		raw, err := rules.Load()
		p.err("Load", err)
		p.json("merged", raw)
		broken := write(t, filepath.Join(dir, "broken"), "a: [")
		t.Setenv("KUBECONFIG", strings.Join([]string{broken, second}, string(filepath.ListSeparator)))
		rules = clientcmd.NewDefaultClientConfigLoadingRules()
		_, err = rules.Load()
		p.err("broken", err)
		rules.WarnIfAllMissing = true
		end := p.klog()
		t.Setenv("KUBECONFIG", filepath.Join(dir, "none"))
		rules = clientcmd.NewDefaultClientConfigLoadingRules()
		_, err = rules.Load()
		end()
		p.err("all missing", err)
	})
	run(t, "modify", func(t *testing.T, p *tape) {
		dir := home(t, p)
		file := write(t, filepath.Join(dir, "k"), kubeconfig)
		rules := &clientcmd.ClientConfigLoadingRules{ExplicitPath: file}
		po := clientcmd.NewDefaultPathOptions()
		po.LoadingRules = rules
		po.EnvVar, po.GlobalFile = "", file
		config, err := po.GetStartingConfig()
		p.err("GetStartingConfig", err)
		config.CurrentContext = "no-user"
		config.AuthInfos["new"] = &clientcmdapi.AuthInfo{Token: "new"}
		delete(config.Clusters, "bad-ca")
		p.err("ModifyConfig", clientcmd.ModifyConfig(po, *config, true))
		text, err := os.ReadFile(file)
		p.err("ReadFile", err)
		p.printf("%s", text)
		names, err := filepath.Glob(dir + "/*")
		p.printf("%v %v", names, err)
		write(t, file+".lock", "")
		config.CurrentContext = "c"
		p.err("locked", clientcmd.ModifyConfig(po, *config, false))
		_ = os.Remove(file + ".lock")
		p.err("unchanged", clientcmd.ModifyConfig(po, *config, false))
		p.err("WriteToFile", clientcmd.WriteToFile(*config, filepath.Join(dir, "new", "file")))
		p.err("WriteToFile, directory", clientcmd.WriteToFile(*config, dir))
	})
	run(t, "validate", func(t *testing.T, p *tape) {
		home(t, p)
		config, err := clientcmd.Load([]byte(kubeconfig))
		p.err("Load", err)
		err = clientcmd.Validate(*config)
		p.printf("%v", clientcmd.IsConfigurationInvalid(err))
		var faults utilerrors.Aggregate
		if errors.As(err, &faults) {
			q := &tape{}
			for _, fault := range faults.Errors() {
				q.printf("%s", fault)
			}
			slices.Sort(q.lines) // of maps
			p.lines = append(p.lines, q.lines...)
		}
		for _, name := range []string{"c", "no-user", "missing-user", "missing-cluster", "no-cluster", "bad-namespace", "missing", ""} {
			err = clientcmd.ConfirmUsable(*config, name)
			p.err("ConfirmUsable "+name, err)
			p.printf("%v %v %v", clientcmd.IsConfigurationInvalid(err), clientcmd.IsContextNotFound(err), clientcmd.IsEmptyConfig(err))
		}
		err = clientcmd.Validate(*clientcmdapi.NewConfig())
		p.err("empty", err)
		p.printf("%v %v", clientcmd.IsConfigurationInvalid(err), clientcmd.IsEmptyConfig(err))
		p.err("ConfirmUsable empty", clientcmd.ConfirmUsable(*clientcmdapi.NewConfig(), "x"))
	})
	run(t, "overrides", func(t *testing.T, p *tape) {
		file := write(t, filepath.Join(home(t, p), "k"), kubeconfig)
		for _, o := range []*clientcmd.ConfigOverrides{
			{ClusterInfo: clientcmdapi.Cluster{Server: "https://override"}},
			{AuthInfo: clientcmdapi.AuthInfo{Username: "x", Password: "y"}},
			{AuthInfo: clientcmdapi.AuthInfo{Token: "override"}},
			{AuthInfo: clientcmdapi.AuthInfo{Impersonate: "someone"}},
			{Timeout: "5s"}, {Timeout: "soon"}, {Timeout: "-1"}, {Timeout: "7"},
			{Context: clientcmdapi.Context{Cluster: "nowhere"}}, {Context: clientcmdapi.Context{Namespace: "other"}},
			{ClusterInfo: clientcmdapi.Cluster{InsecureSkipTLSVerify: true}},
		} {
			load(p, file, o)
		}
	})
}

// Credentials that a client cannot use.
func TestCredentials(t *testing.T) {
	script := func(t *testing.T, text string) string {
		file := filepath.Join(t.TempDir(), "plugin")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const version = "client.authentication.k8s.io/v1"
	credential := func(status string) string {
		return `echo '{"apiVersion":"` + version + `","kind":"ExecCredential","status":` + status + `}'`
	}
	for name, text := range map[string]string{
		"fails":           "echo went wrong >&2; exit 3",
		"nothing":         "true",
		"no JSON":         "echo hello",
		"another kind":    `echo '{"apiVersion":"v1","kind":"Pod"}'`,
		"another version": `echo '{"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential","status":{"token":"x"}}'`,
		"no status":       `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential"}'`,
		"empty status":    credential(`{}`),
		"no key":          credential(`{"clientCertificateData":"x"}`),
		"bad certificate": credential(`{"clientCertificateData":"x","clientKeyData":"y"}`),
		"token":           credential(`{"token":"x"}`),
		"expired":         credential(`{"token":"x","expirationTimestamp":"2000-01-01T00:00:00Z"}`),
	} {
		run(t, "exec "+name, func(t *testing.T, p *tape) {
			home(t, p)
			plugin := script(t, text)
			p.hide(plugin, "PLUGIN")
			end := p.klog()
			execute(t, p, &clientcmdapi.ExecConfig{Command: plugin, APIVersion: version, InteractiveMode: clientcmdapi.NeverExecInteractiveMode})
			end()
		})
	}
	for name, config := range map[string]*clientcmdapi.ExecConfig{
		"missing":             {Command: "no-such-command-anywhere", APIVersion: version, InteractiveMode: clientcmdapi.NeverExecInteractiveMode, InstallHint: "install it"},
		"missing path":        {Command: "/nowhere/plugin", APIVersion: version, InteractiveMode: clientcmdapi.NeverExecInteractiveMode},
		"unknown version":     {Command: "true", APIVersion: "v9", InteractiveMode: clientcmdapi.NeverExecInteractiveMode},
		"unknown mode":        {Command: "true", APIVersion: version, InteractiveMode: "Sometimes"},
		"no mode":             {Command: "true", APIVersion: version},
		"always without tty":  {Command: "true", APIVersion: version, InteractiveMode: clientcmdapi.AlwaysExecInteractiveMode},
		"always, unavailable": {Command: "true", APIVersion: version, InteractiveMode: clientcmdapi.AlwaysExecInteractiveMode, StdinUnavailable: true, StdinUnavailableMessage: "used already"},
	} {
		run(t, "exec "+name, func(t *testing.T, p *tape) {
			home(t, p)
			end := p.klog()
			execute(t, p, config)
			end()
		})
	}
	for name, change := range map[string]func(*rest.Config){
		"provider": func(c *rest.Config) { c.AuthProvider = &clientcmdapi.AuthProviderConfig{Name: "nothing"} },
		"provider and exec": func(c *rest.Config) {
			c.AuthProvider = &clientcmdapi.AuthProviderConfig{Name: "nothing"}
			c.ExecProvider = &clientcmdapi.ExecConfig{}
		},
		"token and basic":     func(c *rest.Config) { c.BearerToken, c.Username, c.Password = "t", "u", "p" },
		"token file":          func(c *rest.Config) { c.BearerTokenFile = "missing" },
		"impersonated groups": func(c *rest.Config) { c.Impersonate.Groups = []string{"g"} },
		"impersonated": func(c *rest.Config) {
			c.Impersonate = rest.ImpersonationConfig{UserName: "x", UID: "1", Groups: []string{"g", "h"}, Extra: map[string][]string{"A b/c": {"d"}}}
		},
		"CA and insecure":         func(c *rest.Config) { c.Host = "https://x"; c.CAData = []byte("x"); c.Insecure = true },
		"bad CA":                  func(c *rest.Config) { c.Host = "https://x"; c.CAData = []byte("x") },
		"missing CA":              func(c *rest.Config) { c.Host = "https://x"; c.CAFile = "missing" },
		"bad certificate":         func(c *rest.Config) { c.Host = "https://x"; c.CertData, c.KeyData = []byte("x"), []byte("y") },
		"certificate without key": func(c *rest.Config) { c.Host = "https://x"; c.CertData = []byte("x") },
		"missing certificate":     func(c *rest.Config) { c.Host = "https://x"; c.CertFile, c.KeyFile = "missing.crt", "missing.key" },
		"no host":                 func(c *rest.Config) { c.Host = "" },
		"bad host":                func(c *rest.Config) { c.Host = "http://a b" },
		"host with a path":        func(c *rest.Config) { c.Host += "/prefix/" },
		"no version":              func(c *rest.Config) { c.GroupVersion = nil },
		"no serializer":           func(c *rest.Config) { c.NegotiatedSerializer = nil },
		"burst without QPS":       func(c *rest.Config) { c.QPS, c.Burst = 0, 5 },
		"QPS without burst":       func(c *rest.Config) { c.QPS, c.Burst = 5, 0 },
		"negative QPS":            func(c *rest.Config) { c.QPS, c.Burst = -1, 0 },
		"QPS and negative burst":  func(c *rest.Config) { c.QPS, c.Burst = 5, -1 },
		"no user agent":           func(c *rest.Config) { c.UserAgent = "" },
		"content types": func(c *rest.Config) {
			c.ContentType, c.AcceptContentTypes = "application/vnd.kubernetes.protobuf", "application/json"
		},
		"unknown content type": func(c *rest.Config) { c.ContentType = "application/x" },
	} {
		run(t, "config "+name, func(t *testing.T, p *tape) {
			home(t, p)
			server := serve(t, p, echoHeaders(p))
			config := restConfig(server.URL)
			change(config)
			client, err := rest.RESTClientFor(config)
			p.err("RESTClientFor", err)
			_, err = rest.UnversionedRESTClientFor(config)
			p.err("UnversionedRESTClientFor", err)
			_, err = rest.HTTPClientFor(config)
			p.err("HTTPClientFor", err)
			if client == nil {
				return
			}
			if l := client.GetRateLimiter(); l != nil {
				p.printf("limit %v", l.QPS())
			}
			if !strings.HasPrefix(config.Host, "https") && config.Host != "" {
				p.err("Get", client.Get().Resource("pods").Name("a").Do(context.Background()).Error())
			}
		})
	}
}
