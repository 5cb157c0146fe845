package rest_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestHTTPClientForNothing(t *testing.T) {
	if client, err := rest.HTTPClientFor(&rest.Config{Host: "server"}); err != nil || client != http.DefaultClient {
		t.Errorf("got %v, %v", client, err)
	}
	client, err := rest.HTTPClientFor(&rest.Config{Timeout: time.Minute})
	if err != nil || client == http.DefaultClient || client.Transport != http.DefaultTransport || client.Timeout != time.Minute {
		t.Errorf("got %v, %v", client, err)
	}
	if c, err := rest.TLSConfigFor(&rest.Config{}); c != nil || err != nil {
		t.Errorf("got %v, %v", c, err)
	}
	if c, err := rest.TLSConfigFor(&rest.Config{TLSClientConfig: rest.TLSClientConfig{ServerName: "a"}}); err != nil || c.ServerName != "a" {
		t.Errorf("got %v, %v", c, err)
	}
}

// echo responds with the headers of a request that a config may set.
func echo(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var out []string
		for _, key := range []string{"Authorization", "User-Agent", "Impersonate-User", "X-Wrapped"} {
			if value := r.Header.Get(key); value != "" {
				out = append(out, key+": "+value)
			}
		}
		if strings.Contains(r.Header.Get("Authorization"), "expired") {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_, _ = io.WriteString(w, strings.Join(out, "; "))
	}))
	t.Cleanup(server.Close)
	return server
}

func fetch(t *testing.T, client *http.Client, url string) string {
	t.Helper()
	resp, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// addHeader adds a header, like a plugin or a wrapper.
type addHeader struct {
	key, value string
	next       http.RoundTripper
}

func (a addHeader) RoundTrip(req *http.Request) (*http.Response, error) {
	req = utilnet.CloneRequest(req)
	req.Header.Add(a.key, a.value)
	return a.next.RoundTrip(req)
}

func (a addHeader) WrappedRoundTripper() http.RoundTripper { return a.next }

func TestHTTPClientSends(t *testing.T) {
	server := echo(t)
	dir := t.TempDir()
	tokenFile, credential := filepath.Join(dir, "token"), filepath.Join(dir, "credential")
	for path, data := range map[string]string{
		tokenFile:  "from-a-file\n",
		credential: `{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"from-a-program"}}`,
	} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	provider := &provider{}
	if err := rest.RegisterAuthProviderPlugin("test", provider.make); err != nil {
		t.Fatal(err)
	}
	if err := rest.RegisterAuthProviderPlugin("test", provider.make); err == nil {
		t.Error("a name is registered twice")
	}
	wrapped := &rest.Config{UserAgent: "agent"}
	wrapped.Wrap(func(rt http.RoundTripper) http.RoundTripper { return addHeader{"X-Wrapped", "yes", rt} })

	for name, test := range map[string]struct {
		config *rest.Config
		want   string
	}{
		"password":      {&rest.Config{Username: "user", Password: "pw", UserAgent: "agent"}, "Authorization: Basic dXNlcjpwdw==; User-Agent: agent"},
		"token":         {&rest.Config{BearerToken: "tok", UserAgent: "agent"}, "Authorization: Bearer tok; User-Agent: agent"},
		"token file":    {&rest.Config{BearerToken: "tok", BearerTokenFile: tokenFile, UserAgent: "agent"}, "Authorization: Bearer from-a-file; User-Agent: agent"},
		"impersonation": {&rest.Config{Impersonate: rest.ImpersonationConfig{UserName: "other"}, UserAgent: "agent"}, "User-Agent: agent; Impersonate-User: other"},
		"wrapped":       {wrapped, "User-Agent: agent; X-Wrapped: yes"},
		"plugin":        {&rest.Config{AuthProvider: &api.AuthProviderConfig{Name: "test", Config: map[string]string{"a": "b"}}, UserAgent: "agent"}, "User-Agent: agent; X-Wrapped: b"},
		"program": {&rest.Config{UserAgent: "agent", ExecProvider: &api.ExecConfig{
			Command: "cat", Args: []string{credential}, APIVersion: "client.authentication.k8s.io/v1",
			InteractiveMode: api.NeverExecInteractiveMode, ProvideClusterInfo: true,
		}}, "Authorization: Bearer from-a-program; User-Agent: agent"},
		"own transport": {&rest.Config{Transport: addHeader{"X-Wrapped", "own", http.DefaultTransport}, UserAgent: "agent"}, "User-Agent: agent; X-Wrapped: own"},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := rest.HTTPClientFor(test.config)
			if err != nil {
				t.Fatal(err)
			}
			if got := fetch(t, client, server.URL); got != test.want {
				t.Errorf("sent %q, want %q", got, test.want)
			}
			utilnet.CloseIdleConnectionsFor(client.Transport)
			rt, err := rest.HTTPWrappersForConfig(test.config, http.DefaultTransport)
			if err != nil {
				t.Fatal(err)
			}
			// The config's transport is ignored if the caller provides a connection.
			if got := fetch(t, &http.Client{Transport: rt}, server.URL); got != test.want && name != "own transport" {
				t.Errorf("sent by wrappers %q, want %q", got, test.want)
			}
		})
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

// provider is a plugin that adds headers from its configuration.
type provider struct{ rest.AuthProvider }

func (p *provider) make(_ string, config map[string]string, persister rest.AuthProviderConfigPersister) (rest.AuthProvider, error) {
	if err := persister.Persist(config); err != nil {
		return nil, err
	}
	return wrapper{value: config["a"]}, nil
}

type wrapper struct {
	value string
	rest.AuthProvider
}

func (w wrapper) WrapTransport(rt http.RoundTripper) http.RoundTripper {
	return addHeader{"X-Wrapped", w.value, rt}
}

func TestHTTPClientForRefuses(t *testing.T) {
	program := func(change func(*rest.Config)) *rest.Config {
		c := &rest.Config{ExecProvider: &api.ExecConfig{Command: "cat", APIVersion: "client.authentication.k8s.io/v1", ProvideClusterInfo: true}}
		change(c)
		return c
	}
	down := errors.New("down")
	for name, test := range map[string]struct {
		config *rest.Config
		want   string
	}{
		"both plugins":       {program(func(c *rest.Config) { c.AuthProvider = &api.AuthProviderConfig{} }), "in combination"},
		"unknown plugin":     {&rest.Config{AuthProvider: &api.AuthProviderConfig{Name: "unknown"}}, `"unknown"`},
		"version of program": {program(func(c *rest.Config) { c.ExecProvider.APIVersion = "v0" }), "v0"},
		"CA for the program": {program(func(c *rest.Config) { c.CAFile = "/nowhere" }), "/nowhere"},
		"proxy fails":        {program(func(c *rest.Config) { c.Proxy = func(*http.Request) (*url.URL, error) { return nil, down } }), "down"},
		"no host to proxy": {program(func(c *rest.Config) {
			c.Host, c.Proxy = "https://user:s3cr3t@a:b", func(*http.Request) (*url.URL, error) { return nil, nil }
		}), "not a URL"},
		"password and token": {&rest.Config{Username: "a", BearerToken: "s3cr3t"}, "not both"},
		"TLS and transport":  {&rest.Config{Transport: http.DefaultTransport, TLSClientConfig: rest.TLSClientConfig{Insecure: true}}, "custom transport"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := rest.HTTPClientFor(test.config)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "s3cr3t") {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// TestExpiredToken uses a server that rejects a token until the file contains another one.
func TestExpiredToken(t *testing.T) {
	server := echo(t)
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte("expired"), 0o600); err != nil {
		t.Fatal(err)
	}
	client, err := rest.HTTPClientFor(&rest.Config{BearerTokenFile: path, UserAgent: "a"})
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	if got := fetch(t, client, server.URL); !strings.Contains(got, "Bearer expired") {
		t.Errorf("sent %q", got)
	}
	if err := os.WriteFile(path, []byte("fresh"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The first 401 made the client discard what it had read before the request.
	for range 2 {
		if got := fetch(t, client, server.URL); strings.Contains(got, "Bearer fresh") {
			return
		}
	}
	t.Error("the new token is not used")
}

// TestRedirectToAnotherServer checks that headers set by the caller are not sent to another server
// either.
func TestRedirectToAnotherServer(t *testing.T) {
	other := make(chan http.Header, 1)
	second := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { other <- r.Header }))
	defer second.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, second.URL, http.StatusTemporaryRedirect)
	}))
	defer first.Close()
	client, err := rest.HTTPClientFor(&rest.Config{BearerToken: "tok", Impersonate: rest.ImpersonationConfig{UserName: "u"}})
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	for name, set := range map[string]http.Header{
		"by the config": {},
		"by the caller": {"Authorization": {"mine"}, "Impersonate-User": {"mine"}, "Impersonate-Group": {"mine"}},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, first.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			for key, values := range set {
				req.Header[key] = values
			}
			resp, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			for key := range <-other {
				if key == "Authorization" || strings.HasPrefix(key, "Impersonate-") {
					t.Errorf("the other server sees %s", key)
				}
			}
		})
	}
}
