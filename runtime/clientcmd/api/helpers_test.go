package api_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/clientcmd/api/latest"
	v1 "github.com/listwatch/listwatch/runtime/clientcmd/api/v1"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
)

func TestMinify(t *testing.T) {
	two := func() *api.Config {
		return &api.Config{
			CurrentContext: "one",
			Contexts:       map[string]*api.Context{"one": {Cluster: "one", AuthInfo: "one"}, "two": {}},
			Clusters:       map[string]*api.Cluster{"one": {}, "two": {}},
			AuthInfos:      map[string]*api.AuthInfo{"one": {}, "two": {}},
		}
	}
	config := two()
	if err := api.MinifyConfig(config); err != nil || len(config.Contexts) != 1 || len(config.Clusters) != 1 || len(config.AuthInfos) != 1 {
		t.Errorf("got %v, %v", config, err)
	}
	config = two()
	config.Contexts["one"] = &api.Context{}
	if err := api.MinifyConfig(config); err != nil || len(config.Clusters)+len(config.AuthInfos) != 0 {
		t.Errorf("got %v, %v", config, err)
	}
	for want, change := range map[string]func(*api.Config){
		"current-context must exist": func(c *api.Config) { c.CurrentContext = "" },
		"cannot locate context one":  func(c *api.Config) { delete(c.Contexts, "one") },
		"cannot locate cluster one":  func(c *api.Config) { delete(c.Clusters, "one") },
		"cannot locate user one":     func(c *api.Config) { delete(c.AuthInfos, "one") },
	} {
		config := two()
		change(config)
		before := len(config.Contexts) + len(config.Clusters) + len(config.AuthInfos)
		if err := api.MinifyConfig(config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if len(config.Contexts)+len(config.Clusters)+len(config.AuthInfos) != before {
			t.Errorf("%s: the config has changed", want)
		}
	}
}

func TestFlatten(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"ca", "cert", "key"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, origin := range []string{"", "config", filepath.Join(dir, "config")} {
		config := &api.Config{
			Clusters:  map[string]*api.Cluster{"a": {LocationOfOrigin: origin, CertificateAuthority: "ca"}},
			AuthInfos: map[string]*api.AuthInfo{"a": {LocationOfOrigin: origin, ClientCertificate: filepath.Join(dir, "cert"), ClientKey: "key"}},
		}
		if err := api.FlattenConfig(config); err != nil {
			t.Fatal(err)
		}
		cluster, user := config.Clusters["a"], config.AuthInfos["a"]
		if string(cluster.CertificateAuthorityData) != "ca" || string(user.ClientCertificateData) != "cert" || string(user.ClientKeyData) != "key" ||
			cluster.CertificateAuthority+user.ClientCertificate+user.ClientKey != "" {
			t.Errorf("origin %q: got %v", origin, config)
		}
	}
	for want, config := range map[string]*api.Config{
		`certificate authority of cluster "a": open`:     {Clusters: map[string]*api.Cluster{"a": {CertificateAuthority: "missing"}}},
		`client certificate of user "a": open`:           {AuthInfos: map[string]*api.AuthInfo{"a": {ClientCertificate: "missing"}}},
		`client key of user "a": cannot have values for`: {AuthInfos: map[string]*api.AuthInfo{"a": {ClientKey: "key", ClientKeyData: []byte(planted)}}},
	} {
		err := api.FlattenConfig(config)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		secrettest.Check(t, err, planted)
	}
}

func TestRedact(t *testing.T) {
	config := full()
	config.AuthInfos["user"].AuthProvider.Config["client-id"] = "shown"
	if err := api.RedactSecrets(config); err != nil {
		t.Fatal(err)
	}
	user := config.AuthInfos["user"]
	if string(user.ClientKeyData) != "REDACTED" || user.Token != "REDACTED" || user.Password != "REDACTED" || user.AuthProvider.Config["token"] != "REDACTED" {
		t.Error("a secret is left")
	}
	if user.Username != "name" || user.AuthProvider.Config["client-id"] != "shown" {
		t.Error("a name is redacted")
	}
	if err := api.RedactSecrets(&api.Config{AuthInfos: map[string]*api.AuthInfo{"nil": nil, "empty": {}}}); err != nil {
		t.Error(err)
	}
}

// TestWrittenFormIsNotPrinted: the types of the file hide what those in memory hide.
func TestWrittenFormIsNotPrinted(t *testing.T) {
	config := full()
	config.Contexts["context"].Extensions = config.Extensions
	config.Preferences.Extensions = config.Extensions
	for _, extension := range config.Extensions {
		extension.(*runtime.Unknown).Raw = []byte(`"` + planted + `"`)
		extension.(*runtime.Unknown).ContentType = runtime.ContentTypeJSON
	}
	config.AuthInfos["user"].Exec.Config = nil
	var file v1.Config
	if err := latest.Scheme.Convert(config, &file, nil); err != nil {
		t.Fatal(err)
	}
	cluster, user, context := &file.Clusters[0], &file.AuthInfos[0], &file.Contexts[0]
	for _, v := range []any{
		file, &file, file.Preferences, cluster, *cluster, cluster.Cluster, user, *user, user.AuthInfo, &user.AuthInfo, context, *context, context.Context,
		user.AuthInfo.Exec, *user.AuthInfo.Exec, user.AuthInfo.Exec.Env[0], user.AuthInfo.AuthProvider, *user.AuthInfo.AuthProvider,
		file.Extensions[0], &file.Extensions[0], config.Contexts["context"], config.Preferences,
	} {
		secrettest.Check(t, v, planted)
	}
	for _, v := range []any{file.Clusters, file.AuthInfos, file.Contexts, file.Extensions, user.AuthInfo.Exec.Env} {
		secrettest.CheckFmt(t, v, planted)
	}
}
