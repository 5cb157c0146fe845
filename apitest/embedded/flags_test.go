package embedded_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestFlagOptions(t *testing.T) {
	dir := t.TempDir()
	serving, err := embedded.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "apiserver.crt"), string(serving.Cert))
	write(t, filepath.Join(dir, "apiserver.key"), string(serving.Key))
	client, clientKey := selfSigned(t, "jo")
	write(t, filepath.Join(dir, "client-ca.crt"), string(client))
	jo := rest.TLSClientConfig{CertData: client, KeyData: clientKey, CAData: serving.CA}
	for name, c := range map[string]struct {
		args    []string
		ignored string
		config  rest.TLSClientConfig
		path    string
		want    int
	}{
		"as envtest": {
			args: []string{
				"--allow-privileged=true", "--authorization-mode=RBAC", "--bind-address=127.0.0.1", "--cert-dir=" + dir,
				"--client-ca-file=" + filepath.Join(dir, "client-ca.crt"), "--disable-admission-plugins=ServiceAccount",
				"--etcd-servers=http://127.0.0.1:1", "--secure-port=0", "--service-account-issuer=https://127.0.0.1/",
				"--service-account-key-file=x", "--service-account-signing-key-file=x", "--service-cluster-ip-range=10.0.0.0/24",
			},
			config: jo, path: "/api/v1/nodes", want: 200,
		},
		"files": {
			args: []string{"-secure-port", "0", "--tls-cert-file", filepath.Join(dir, "apiserver.crt"),
				"--tls-private-key-file", filepath.Join(dir, "apiserver.key")},
			config: rest.TLSClientConfig{CAData: serving.CA}, path: "/api/v1/nodes", want: 403,
		},
		"everything is allowed": {
			args:    []string{"--secure-port=0", "--authorization-mode=Node,AlwaysAllow", "--cert-dir", "/nowhere", "--profiling", "--v=2", "--feature-gates=A=true", "--enable-admission-plugins=LimitRanger,PodSecurity,NodeRestriction"},
			ignored: "--profiling --feature-gates --enable-admission-plugins=NodeRestriction",
			config:  rest.TLSClientConfig{CAData: serving.CA}, path: "/api/v1/nodes", want: 200,
		},
	} {
		t.Run(name, func(t *testing.T) {
			opts, ignored, err := embedded.FlagOptions(c.args)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(ignored, " "); got != c.ignored {
				t.Errorf("ignores %s, want %s", got, c.ignored)
			}
			srv := embedded.Start(t, opts...)
			if code, body := get(t, &rest.Config{Host: srv.URL(), TLSClientConfig: c.config}, c.path); code != c.want {
				t.Errorf("got %d %s, want %d", code, body, c.want)
			}
		})
	}
}

func TestInvalidFlags(t *testing.T) {
	for want, args := range map[string][]string{
		`unexpected argument "serve": kube-apiserver takes only flags`: {"serve"},
		`unexpected argument "--": kube-apiserver takes only flags`:    {"--"},
		"--authorization-mode: Webhook,Node: use RBAC or AlwaysAllow":  {"--authorization-mode=Webhook,Node"},
		`--enable-admission-plugins: unknown plugin "LimitRange"`:      {"--enable-admission-plugins=ResourceQuota,LimitRange"},
		`--disable-admission-plugins: unknown plugin "X"`:              {"--disable-admission-plugins=X"},
		"LimitRanger is also in --disable-admission-plugins":           {"--enable-admission-plugins=LimitRanger", "--disable-admission-plugins=LimitRanger"},
		"--client-ca-file: open /nowhere":                              {"--client-ca-file=/nowhere"},
		"--tls-cert-file, --tls-private-key-file or --cert-dir: open":  {"--tls-cert-file=/nowhere"},
	} {
		if _, _, err := embedded.FlagOptions(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %s", args, err, want)
		}
	}
}
