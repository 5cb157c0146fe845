package exec

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/listwatch/listwatch/runtime/clientauthentication"
	v1 "github.com/listwatch/listwatch/runtime/clientauthentication/v1"
	"github.com/listwatch/listwatch/runtime/clientauthentication/v1beta1"
	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
	"github.com/listwatch/listwatch/runtime/transport"
)

const planted = "s3cr3t"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLoadExecCredential(t *testing.T) {
	const cluster = `"cluster":{"server":"https://server","tls-server-name":"name","certificate-authority-data":"Q0E=","proxy-url":"http://proxy","disable-compression":true,"config":{"a":1}}`
	for _, version := range []string{"v1", "v1beta1"} {
		t.Setenv(execInfoEnv, `{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/`+version+`","spec":{"interactive":true,`+cluster+`}}`)
		object, config, err := LoadExecCredentialFromEnv()
		if err != nil {
			t.Fatal(err)
		}
		var spec v1.ExecCredentialSpec
		switch credential := object.(type) {
		case *v1.ExecCredential:
			spec = credential.Spec
		case *v1beta1.ExecCredential:
			spec = credential.Spec
		}
		if !spec.Interactive || spec.Cluster == nil || string(spec.Cluster.Config.Raw) != `{"a":1}` {
			t.Errorf("%s: got %T %+v", version, object, spec)
		}
		if config.Host != "https://server" || config.ServerName != "name" || string(config.CAData) != "CA" || config.Proxy == nil || !config.DisableCompression {
			t.Errorf("%s: got %v", version, config)
		}
	}
	t.Setenv(execInfoEnv, "")
	if _, _, err := LoadExecCredentialFromEnv(); err == nil {
		t.Error("no variable, no error")
	}
}

func TestLoadExecCredentialErrors(t *testing.T) {
	const v1 = `"apiVersion":"client.authentication.k8s.io/v1"`
	for data, want := range map[string]string{
		planted: "not valid JSON",
		`{"kind":"Status","apiVersion":"v1","message":"` + planted + `"}`:                                               "invalid group/kind",
		`{"kind":"` + planted + `",` + v1 + `}`:                                                                         "not an ExecCredential",
		`{"kind":"DeleteOptions",` + v1 + `}`:                                                                           "invalid group/kind",
		`{"kind":"ExecCredential",` + v1 + `,"spec":{"cluster":"` + planted + `"}}`:                                     "not valid JSON",
		`{"kind":"ExecCredential",` + v1 + `,"status":{"token":"` + planted + `"}}`:                                     "does not contain cluster information",
		`{"kind":"ExecCredential",` + v1 + `,"spec":{"cluster":{"proxy-url":"http://a:` + planted + `@b:%zz"}}}`:        "cannot parse proxy URL",
		`{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1alpha1","spec":{"a":"` + planted + `"}}`: "not an ExecCredential",
		`{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"` + planted + `"}}`:                         "not an ExecCredential",
		`{"kind":"ExecCredential","status":{"token":"` + planted + `"}}`:                                                "not an ExecCredential",
	} {
		_, _, err := LoadExecCredential([]byte(data))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", data, err, want)
		}
		secrettest.Check(t, err, planted)
	}
}

func TestGetAuthenticator(t *testing.T) {
	config := &api.ExecConfig{Command: "program", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: api.NeverExecInteractiveMode, ProvideClusterInfo: true}
	one, err := GetAuthenticator(config, &clientauthentication.Cluster{Server: "https://one"})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := GetAuthenticator(config, &clientauthentication.Cluster{Server: "https://one"}); err != nil || again != one {
		t.Errorf("not the same: %v", err)
	}
	if other, err := GetAuthenticator(config, &clientauthentication.Cluster{Server: "https://other"}); err != nil || other == one {
		t.Errorf("the same for another cluster: %v", err)
	}
	if err := one.UpdateTransportConfig(&transport.Config{}); err != nil {
		t.Error(err)
	}
	if err := ValidatePluginPolicy(api.PluginPolicy{PolicyType: "unknown"}); err == nil {
		t.Error("an unknown policy is valid")
	}
	if err := ValidatePluginPolicy(api.PluginPolicy{}); err != nil {
		t.Error(err)
	}
}
