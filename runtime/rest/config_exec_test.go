package rest_test

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/clientauthentication"
	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestExecCluster(t *testing.T) {
	ca := filepath.Join(t.TempDir(), "ca")
	if err := os.WriteFile(ca, []byte("CA"), 0o600); err != nil {
		t.Fatal(err)
	}
	proxy, err := url.Parse("http://proxy:3128")
	if err != nil {
		t.Fatal(err)
	}
	config := &rest.Config{
		Host:               "https://server",
		DisableCompression: true,
		Proxy:              http.ProxyURL(proxy),
		ExecProvider:       &api.ExecConfig{Config: &runtime.Unknown{Raw: []byte("{}")}},
		TLSClientConfig:    rest.TLSClientConfig{Insecure: true, ServerName: "name", CAFile: ca},
	}
	cluster, err := rest.ConfigToExecCluster(config)
	if err != nil {
		t.Fatal(err)
	}
	want := &clientauthentication.Cluster{
		Server: "https://server", TLSServerName: "name", InsecureSkipTLSVerify: true, CertificateAuthorityData: []byte("CA"),
		ProxyURL: "http://proxy:3128", DisableCompression: true, Config: config.ExecProvider.Config,
	}
	if !reflect.DeepEqual(cluster, want) {
		t.Errorf("got %v, want %v", cluster, want)
	}
	back, err := rest.ExecClusterToConfig(cluster)
	if err != nil || back.Host != config.Host || back.ServerName != "name" || !back.Insecure || string(back.CAData) != "CA" || !back.DisableCompression {
		t.Errorf("got %v, %v", back, err)
	}
	if u, err := back.Proxy(&http.Request{}); err != nil || u.String() != "http://proxy:3128" {
		t.Errorf("got proxy %v, %v", u, err)
	}
}

func TestExecClusterErrors(t *testing.T) {
	exec := &api.ExecConfig{}
	failing := func(*http.Request) (*url.URL, error) { return nil, errors.New("no proxy") }
	for name, config := range map[string]*rest.Config{
		"file":  {ExecProvider: exec, TLSClientConfig: rest.TLSClientConfig{CAFile: "/missing"}},
		"host":  {ExecProvider: exec, Host: "https://name:s3cr3t@a:%zz", Proxy: failing},
		"proxy": {ExecProvider: exec, Host: "https://a", Proxy: failing},
	} {
		_, err := rest.ConfigToExecCluster(config)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		secrettest.Check(t, err, "s3cr3t")
	}
	_, err := rest.ExecClusterToConfig(&clientauthentication.Cluster{ProxyURL: "http://name:s3cr3t@a:%zz"})
	if err == nil {
		t.Error("no error")
	}
	secrettest.Check(t, err, "s3cr3t")
}
