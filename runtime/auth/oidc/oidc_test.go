package oidc

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
	"github.com/listwatch/listwatch/runtime/rest"
)

// planted is in all secrets.
const planted = "s3cr3t"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// idToken returns an unsigned token.
func idToken(name string, expires time.Time) string {
	claims := fmt.Sprintf(`{"sub":"%s-%s","exp":%d}`, planted, name, expires.Unix())
	return "e30." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + "." + planted
}

// identityProvider answers requests for its discovery document and for tokens.
type identityProvider struct {
	mu       sync.Mutex // guards all
	document string     // empty: one with the token endpoint
	status   int        // of responses with tokens; 0: 200
	answer   map[string]any
	got      []string // the refresh tokens that it was sent
}

func (p *identityProvider) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch req.URL.Path {
	case "/.well-known/openid-configuration":
		document := p.document
		if document == "" {
			document = `{"token_endpoint":"https://` + req.Host + `/token"}`
		}
		_, _ = io.WriteString(w, document)
	case "/token":
		p.got = append(p.got, req.PostFormValue("refresh_token"))
		if p.status != 0 {
			w.WriteHeader(p.status)
		}
		_ = json.NewEncoder(w).Encode(p.answer)
	default:
		http.NotFound(w, req)
	}
}

func start(t *testing.T, handler http.Handler) *httptest.Server {
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	return server
}

func caData(server *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

// memory is a persister.
type memory struct {
	mu     sync.Mutex // guards all
	config map[string]string
	err    error
}

func (m *memory) Persist(config map[string]string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return m.err
	}
	m.config = maps.Clone(config)
	return nil
}

// wrapped returns a client of a provider with config for the server of idp. Its responses contain the
// Authorization header of the request.
func wrapped(t *testing.T, idp *httptest.Server, config map[string]string, persister rest.AuthProviderConfigPersister) *http.Client {
	t.Helper()
	config = maps.Clone(config)
	if config == nil {
		config = map[string]string{}
	}
	config[keyIssuer], config[keyClientID], config[keyClientSecret] = idp.URL, "client", planted+"-client"
	p := newProvider("https://cluster", config, persister, idp.Client())
	return &http.Client{Transport: p.WrapTransport(echo{})}
}

type echo struct{}

func (echo) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(req.Header.Get("Authorization"))), Request: req}, nil
}

func get(t *testing.T, client *http.Client) (string, error) {
	t.Helper()
	resp, err := client.Get("https://cluster/")
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func TestValidTokenIsUsed(t *testing.T) {
	idp := &identityProvider{}
	valid := idToken("valid", time.Now().Add(time.Hour))
	client := wrapped(t, start(t, idp), map[string]string{keyIDToken: valid}, &memory{})
	if got, err := get(t, client); got != "Bearer "+valid || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if len(idp.got) > 0 {
		t.Error("tokens were requested")
	}
}

func TestRefresh(t *testing.T) {
	fresh := idToken("fresh", time.Now().Add(time.Hour))
	for name, expired := range map[string]string{
		"none":         "",
		"expired":      idToken("old", time.Now().Add(-time.Hour)),
		"about to":     idToken("old", time.Now().Add(expiryMargin/2)),
		"no expiry":    "e30." + base64.RawURLEncoding.EncodeToString([]byte(`{}`)) + ".",
		"with decimal": "e30." + base64.RawURLEncoding.EncodeToString([]byte(`{"exp":1.5e3}`)) + ".",
	} {
		t.Run(name, func(t *testing.T) {
			idp, persisted := &identityProvider{answer: map[string]any{"id_token": fresh, "access_token": "a", "refresh_token": planted + "-2"}}, &memory{}
			client := wrapped(t, start(t, idp), map[string]string{keyIDToken: expired, keyRefreshToken: planted + "-1", "more": "kept"}, persisted)
			var wg sync.WaitGroup
			for range 10 {
				wg.Go(func() {
					if got, err := get(t, client); got != "Bearer "+fresh || err != nil {
						t.Errorf("got %q, %v", got, err)
					}
				})
			}
			wg.Wait()
			if got := strings.Join(idp.got, " "); got != planted+"-1" {
				t.Errorf("requested with %q, want one request", got)
			}
			if c := persisted.config; c[keyIDToken] != fresh || c[keyRefreshToken] != planted+"-2" || c["more"] != "kept" || c[keyClientID] != "client" {
				t.Errorf("persisted %v", c)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	refreshable := map[string]string{keyRefreshToken: planted + "-1"}
	for _, test := range []struct {
		name   string
		config map[string]string
		idp    *identityProvider
		want   string
	}{
		{"no refresh token", nil, &identityProvider{}, "no valid id-token, and cannot refresh without refresh-token"},
		{"not a JWT", map[string]string{keyIDToken: planted}, &identityProvider{}, "id-token: not a valid JWT"},
		{"not base64", map[string]string{keyIDToken: "a." + planted + "!.b"}, &identityProvider{}, "id-token: not a valid JWT"},
		{"no claims", map[string]string{keyIDToken: "a." + base64.RawURLEncoding.EncodeToString([]byte(planted)) + ".b"}, &identityProvider{}, "the claims cannot be read"},
		{"no document", refreshable, &identityProvider{document: planted}, "discovery document: it is not valid JSON"},
		{"no endpoint", refreshable, &identityProvider{document: `{"a":"` + planted + `"}`}, "does not contain a token_endpoint"},
		{"endpoint fails", refreshable, &identityProvider{document: `{"token_endpoint":"https://user:` + planted + `@127.0.0.1:1/?a=` + planted + `"}`}, "failed to refresh token"},
		{"rejected", refreshable, &identityProvider{status: 400, answer: map[string]any{"error": "invalid_grant", "error_description": planted}}, "failed to refresh token: response status 400: invalid_grant"},
		{"unknown error", refreshable, &identityProvider{status: 500, answer: map[string]any{"error": planted}}, "failed to refresh token: response status 500"},
		{"not tokens", refreshable, &identityProvider{answer: map[string]any{"a": planted}}, "failed to refresh token"},
		{"no ID token", refreshable, &identityProvider{answer: map[string]any{"access_token": planted}}, "did not contain an id_token"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := get(t, wrapped(t, start(t, test.idp), test.config, &memory{}))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want %s", err, test.want)
			}
			secrettest.Check(t, err, planted)
		})
	}
}

// TestTokensSurviveFailedPersist: the identity provider may accept a refresh token only once.
func TestTokensSurviveFailedPersist(t *testing.T) {
	fresh := idToken("fresh", time.Now().Add(time.Hour))
	idp := &identityProvider{answer: map[string]any{"id_token": fresh, "access_token": "a"}}
	client := wrapped(t, start(t, idp), map[string]string{keyRefreshToken: planted}, &memory{err: errors.New("read-only")})
	if _, err := get(t, client); err == nil || !strings.Contains(err.Error(), "could not persist new tokens: read-only") {
		t.Errorf("got %v", err)
	}
	if got, err := get(t, client); got != "Bearer "+fresh || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if len(idp.got) != 1 {
		t.Errorf("%d requests", len(idp.got))
	}
}

func TestFactory(t *testing.T) {
	valid := map[string]string{keyIssuer: "https://issuer", keyClientID: "client"}
	with := func(pairs ...string) map[string]string {
		config := maps.Clone(valid)
		for i := 0; i < len(pairs); i += 2 {
			config[pairs[i]] = pairs[i+1]
		}
		return config
	}
	for name, config := range map[string]map[string]string{
		"must provide idp-issuer-url":                        with(keyIssuer, ""),
		"must provide client-id":                             with(keyClientID, ""),
		"idp-certificate-authority-data is not valid base64": with(keyCAData, planted+"!"),
		"no such file":                                       with(keyCAFile, "/missing"),
	} {
		if _, err := newAuthProvider("a", config, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %s", err, name)
		} else {
			secrettest.Check(t, err, planted)
		}
	}
	one, err := newAuthProvider("a", valid, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		cluster string
		config  map[string]string
		same    bool
	}{
		{"a", with(keyIDToken, "x"), true},
		{"b", valid, false},
		{"a", with(keyRefreshToken, planted), false}, // another user of the same identity provider
	} {
		other, err := newAuthProvider(test.cluster, test.config, nil)
		if err != nil || (one == other) != test.same {
			t.Errorf("%v: got %v, %v", test.config, one == other, err)
		}
		secrettest.Check(t, other, planted)
	}
	if err := one.Login(); err == nil {
		t.Error("logged in")
	}
}

// TestKubeconfig is the whole way: the kubeconfig has an expired token, and then the new ones.
func TestKubeconfig(t *testing.T) {
	fresh := idToken("fresh", time.Now().Add(time.Hour))
	idp := &identityProvider{answer: map[string]any{"id_token": fresh, "access_token": "a", "refresh_token": planted + "-2"}}
	issuer := start(t, idp)
	server := start(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = io.WriteString(w, req.Header.Get("Authorization"))
	}))
	config := api.NewConfig()
	config.CurrentContext = "context"
	config.Contexts["context"] = &api.Context{Cluster: "cluster", AuthInfo: "user"}
	config.Clusters["cluster"] = &api.Cluster{Server: server.URL, CertificateAuthorityData: caData(server)}
	config.AuthInfos["user"] = &api.AuthInfo{AuthProvider: &api.AuthProviderConfig{Name: "oidc", Config: map[string]string{
		keyIssuer: issuer.URL, keyClientID: "client", keyRefreshToken: planted + "-1",
		keyCAData: base64.StdEncoding.EncodeToString(caData(issuer)),
	}}}
	file := filepath.Join(t.TempDir(), "config")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second client reads the tokens from the file
		restConfig, err := clientcmd.BuildConfigFromFlags("", file)
		if err != nil {
			t.Fatal(err)
		}
		client, err := rest.HTTPClientFor(restConfig)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.CloseIdleConnections)
		resp, err := client.Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if string(body) != "Bearer "+fresh || err != nil {
			t.Errorf("sent %q, %v", body, err)
		}
	}
	if len(idp.got) != 1 {
		t.Errorf("%d requests for tokens", len(idp.got))
	}
	written, err := clientcmd.LoadFromFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if c := written.AuthInfos["user"].AuthProvider.Config; c[keyIDToken] != fresh || c[keyRefreshToken] != planted+"-2" {
		t.Error("the tokens are not in the file")
	}
	if info, err := os.Stat(file); err != nil {
		t.Error(err)
	} else if mode := info.Mode().Perm(); mode != 0o600 {
		t.Errorf("the file has mode %v, want 0600", mode)
	}
}
