package rest_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestDefaultServerURL(t *testing.T) {
	apps := schema.GroupVersion{Group: "apps", Version: "v1"}
	for name, test := range map[string]struct {
		host, apiPath string
		gv            schema.GroupVersion
		tls           bool
		base, path    string
	}{
		"host":             {"server", "/apis", apps, false, "http://server", "/apis/apps/v1"},
		"host, TLS":        {"server", "/apis", apps, true, "https://server", "/apis/apps/v1"},
		"host and port":    {"server:6443", "/apis", apps, true, "https://server:6443", "/apis/apps/v1"},
		"address and port": {"127.0.0.1:6443", "/apis", apps, true, "https://127.0.0.1:6443", "/apis/apps/v1"},
		"IPv6":             {"[::1]:6443", "/apis", apps, true, "https://[::1]:6443", "/apis/apps/v1"},
		"slash":            {"server/", "/apis", apps, true, "https://server/", "/apis/apps/v1"},
		"URL":              {"http://server:80/", "/apis", apps, true, "http://server:80/", "/apis/apps/v1"},
		"URL with a path":  {"https://server/a/b/", "/apis", apps, false, "https://server/a/b/", "/apis/apps/v1"},
		"core group":       {"https://server", "/api", schema.GroupVersion{Version: "v1"}, false, "https://server", "/api/v1"},
		"no version":       {"https://server", "/api", schema.GroupVersion{}, false, "https://server", "/api"},
		"no path":          {"https://server", "", schema.GroupVersion{}, false, "https://server", "/"},
		"path unclean":     {"https://server", "apis//", apps, false, "https://server", "/apis/apps/v1"},
	} {
		t.Run(name, func(t *testing.T) {
			base, path, err := rest.DefaultServerURL(test.host, test.apiPath, test.gv, test.tls)
			if err != nil {
				t.Fatal(err)
			}
			if base.String() != test.base || path != test.path {
				t.Errorf("got %s and %s, want %s and %s", base, path, test.base, test.path)
			}
		})
	}
}

func TestDefaultServerURLRefuses(t *testing.T) {
	for name, host := range map[string]string{
		"empty":            "",
		"path, no scheme":  "server/path",
		"space":            "a server",
		"password":         "https://user:s3cr3t/@server:x",
		"broken port":      "https://user:s3cr3t@server:port",
		"control":          "https://user:s3cr3t@ser\x00ver",
		"password as port": "https://user:s3cr3t/path@server",
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := rest.DefaultServerURL(host, "/api", schema.GroupVersion{}, true)
			if err == nil || !strings.Contains(err.Error(), "host must be a URL or a host:port pair") {
				t.Fatalf("got %v", err)
			}
			if strings.Contains(err.Error(), "s3cr3t") {
				t.Errorf("the password is in %v", err)
			}
		})
	}
}

func TestIsConfigTransportTLS(t *testing.T) {
	for name, test := range map[string]struct {
		config rest.Config
		want   bool
	}{
		"nothing":       {rest.Config{}, false},
		"host":          {rest.Config{Host: "server"}, false},
		"https":         {rest.Config{Host: "https://server"}, true},
		"HTTPS":         {rest.Config{Host: "HTTPS://server"}, true},
		"http":          {rest.Config{Host: "http://server", TLSClientConfig: rest.TLSClientConfig{Insecure: true}}, false},
		"insecure":      {rest.Config{Host: "server", TLSClientConfig: rest.TLSClientConfig{Insecure: true}}, true},
		"CA data":       {rest.Config{Host: "server", TLSClientConfig: rest.TLSClientConfig{CAData: []byte("a")}}, true},
		"CA file":       {rest.Config{Host: "server", TLSClientConfig: rest.TLSClientConfig{CAFile: "a"}}, true},
		"cert file":     {rest.Config{Host: "server", TLSClientConfig: rest.TLSClientConfig{CertFile: "a"}}, true},
		"cert data":     {rest.Config{Host: "server", TLSClientConfig: rest.TLSClientConfig{CertData: []byte("a")}}, true},
		"broken host":   {rest.Config{Host: "https://a b"}, false},
		"other scheme":  {rest.Config{Host: "ftp://server"}, false},
		"server's name": {rest.Config{Host: "server", TLSClientConfig: rest.TLSClientConfig{ServerName: "a"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := rest.IsConfigTransportTLS(test.config); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// FuzzDefaultServerURL plants a password in what may be a host: no panic, no password in an
// error, and a URL with scheme and host where there is none.
func FuzzDefaultServerURL(f *testing.F) {
	const planted = "s3cr3t"
	f.Add("https://", "@server:6443", "/apis", "apps", "v1", true)
	f.Add("", "@[::1]", "", "", "", false)
	f.Add("http://user:", "%zz@server:port/path", "..", "a/b", "../..", true)
	f.Add("a b", "@", "\x00", "", "", false)
	f.Fuzz(func(t *testing.T, before, after, apiPath, group, version string, tls bool) {
		gv := schema.GroupVersion{Group: group, Version: version}
		if base, path, err := rest.DefaultServerURL(before+after, apiPath, gv, tls); err == nil && (base.Scheme == "" || !strings.HasPrefix(path, "/")) {
			t.Errorf("got %v and %q", base, path)
		}
		if !strings.Contains(after, "@") {
			return
		}
		config := &rest.Config{Host: before + planted + after}
		if _, _, err := rest.DefaultServerUrlFor(config); err != nil && secrettest.Shows(err.Error(), planted) {
			t.Errorf("the password is in %v", err)
		}
		if got := config.String(); secrettest.Shows(got, planted) {
			t.Errorf("the password is in %s", got)
		}
	})
}
