package kubeconfig

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/rest"

	theirrest "k8s.io/client-go/rest"
	theircmd "k8s.io/client-go/tools/clientcmd"

	_ "k8s.io/client-go/plugin/pkg/client/auth"
)

// oidcCase is a user with an ID token, and an identity provider.
type oidcCase struct {
	name     string
	idToken  string
	refresh  string // the refresh token
	document string // the discovery document; $URL is the identity provider
	status   int
	tokens   map[string]any
}

func jwt(claims string) string {
	return "e30." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".c2ln"
}

// TestOIDC: both send the same requests to the identity provider and to the API server, and leave the same file.
func TestOIDC(t *testing.T) {
	const document = `{"token_endpoint":"$URL/token"}`
	valid, expired := jwt(`{"exp":4102444800}`), jwt(`{"exp":1}`)
	fresh := map[string]any{"id_token": jwt(`{"exp":4102444801}`), "access_token": "a"}
	rotated := map[string]any{"id_token": jwt(`{"exp":4102444802}`), "access_token": "a", "refresh_token": "second"}
	for _, c := range []oidcCase{
		{name: "valid", idToken: valid},
		{name: "valid without a refresh token", idToken: valid, refresh: "-"},
		{name: "fraction", idToken: jwt(`{"exp":4102444800.5}`)},
		{name: "about to expire", idToken: jwt(fmt.Sprintf(`{"exp":%d}`, time.Now().Add(3*time.Second).Unix())), document: document, tokens: fresh},
		{name: "expired", idToken: expired, document: document, tokens: fresh},
		{name: "no token", document: document, tokens: fresh},
		{name: "no expiry", idToken: jwt(`{}`), document: document, tokens: fresh},
		{name: "rotated", idToken: expired, document: document, tokens: rotated},
		{name: "not a JWT", idToken: "text", document: document, tokens: fresh},
		{name: "not base64", idToken: "a.!.b", document: document, tokens: fresh},
		{name: "no claims", idToken: "a.dGV4dA.b", document: document, tokens: fresh},
		{name: "expiry is text", idToken: jwt(`{"exp":"soon"}`), document: document, tokens: fresh},
		{name: "expired without a refresh token", idToken: expired, refresh: "-", document: document, tokens: fresh},
		{name: "no document", idToken: expired},
		{name: "document is text", idToken: expired, document: "text"},
		{name: "no endpoint", idToken: expired, document: "{}"},
		{name: "rejected", idToken: expired, document: document, status: 400, tokens: map[string]any{"error": "invalid_grant"}},
		{name: "server error", idToken: expired, document: document, status: 500},
		{name: "no ID token", idToken: expired, document: document, tokens: map[string]any{"access_token": "a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.run(t, func(file string) (*http.Client, error) {
				config, err := clientcmd.BuildConfigFromFlags("", file)
				if err != nil {
					return nil, err
				}
				return rest.HTTPClientFor(config)
			})
			want := c.run(t, func(file string) (*http.Client, error) {
				config, err := theircmd.BuildConfigFromFlags("", file)
				if err != nil {
					return nil, err
				}
				return theirrest.HTTPClientFor(config)
			})
			if got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// run sends two requests to an API server, and returns all requests, their fate, and the file afterwards.
func (c oidcCase) run(t *testing.T, clientFor func(file string) (*http.Client, error)) string {
	t.Helper()
	var log strings.Builder
	idp := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_ = req.ParseForm()
		fmt.Fprintf(&log, "identity provider: %s %s %s\n", req.Method, req.URL.Path, req.PostForm.Encode())
		w.Header().Set("Content-Type", "application/json")
		switch {
		case req.URL.Path == "/token":
			if c.status != 0 {
				w.WriteHeader(c.status)
			}
			_ = json.NewEncoder(w).Encode(c.tokens)
		case c.document != "":
			_, _ = io.WriteString(w, strings.ReplaceAll(c.document, "$URL", "https://"+req.Host))
		default:
			http.NotFound(w, req)
		}
	}))
	defer idp.Close()
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		fmt.Fprintf(&log, "server: %s\n", req.Header.Get("Authorization"))
	}))
	defer server.Close()
	root := func(s *httptest.Server) string {
		return base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
	}
	refresh := c.refresh
	if refresh == "" {
		refresh = "first"
	}
	text := fmt.Sprintf(`current-context: c
clusters: [{name: c, cluster: {server: %q, certificate-authority-data: %s}}]
contexts: [{name: c, context: {cluster: c, user: c}}]
users:
- name: c
  user:
    auth-provider:
      name: oidc
      config: {idp-issuer-url: %q, client-id: id, client-secret: secret, idp-certificate-authority-data: %s, id-token: %q, refresh-token: %q}
`, server.URL, root(server), idp.URL, root(idp), c.idToken, strings.Trim(refresh, "-"))
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	client, err := clientFor(file)
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	for range 2 {
		resp, failed := client.Get(server.URL)
		fmt.Fprintf(&log, "failed: %v\n", failed != nil)
		if failed == nil {
			_ = resp.Body.Close()
		}
	}
	after, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	log.Write(after)
	return strings.NewReplacer(server.URL, "SERVER", idp.URL, "IDP", root(server), "ROOT", root(idp), "ROOT").Replace(log.String())
}
