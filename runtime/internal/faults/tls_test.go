package faults_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/internal/testcert"
	"github.com/listwatch/listwatch/runtime/rest"
)

// quiet is the log of servers whose clients disconnect.
var quiet = log.New(io.Discard, "", 0)

// serverTLS returns the TLS config of a server with a certificate.
func serverTLS(cert tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12, ClientAuth: tls.RequestClientCert}
}

// TestTLSFails checks that each call fails, without a retry, if the server's identity is wrong.
func TestTLSFails(t *testing.T) {
	ca, stranger := testcert.New(t), testcert.New(t)
	for name, test := range map[string]struct {
		ca     *testcert.CA // the server's CA; nil for no TLS
		config func(url string) *rest.Config
		want   want
		text   string
	}{
		"unknown CA": {stranger, func(url string) *rest.Config {
			return &rest.Config{Host: url, TLSClientConfig: rest.TLSClientConfig{CAData: ca.PEM}}
		}, func(err error) bool {
			var unverified *tls.CertificateVerificationError
			return errors.As(err, &unverified) && isA[x509.UnknownAuthorityError](err)
		}, "certificate signed by unknown authority"},
		"wrong name": {ca, func(url string) *rest.Config {
			return &rest.Config{Host: url, TLSClientConfig: rest.TLSClientConfig{CAData: ca.PEM, ServerName: "other.test"}}
		}, isA[x509.HostnameError], "other.test"},
		"https to a server without": {nil, func(url string) *rest.Config {
			return &rest.Config{Host: strings.Replace(url, "http://", "https://", 1), TLSClientConfig: rest.TLSClientConfig{CAData: ca.PEM}}
		}, isA[*url.Error], "server gave HTTP response to HTTPS client"},
	} {
		t.Run(name, func(t *testing.T) {
			requests := atomic.Int64{}
			s := start(t, test.ca, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				answer(well).handler(w, r)
			}))
			config := test.config(s.URL)
			config.Proxy = noProxy
			clientset := clients(t, config)
			for _, c := range calls {
				o := c.do(t.Context(), clientset)
				if o.err == nil || !test.want(o.err) || !isA[*url.Error](o.err) || !strings.Contains(o.err.Error(), test.text) {
					t.Fatalf("%s: error is %v", c.name, o.err)
				}
				named(t, c, o.err)
			}
			if n := requests.Load(); n != 0 {
				t.Errorf("%d requests got a response", n)
			}
		})
	}
}

// TestHTTPToServerWithTLS checks that such a server's response is passed on.
func TestHTTPToServerWithTLS(t *testing.T) {
	s := start(t, testcert.New(t), http.HandlerFunc(answer(well).handler))
	clientset := clients(t, &rest.Config{Host: strings.Replace(s.URL, "https://", "http://", 1), Proxy: noProxy})
	for _, c := range calls {
		// The server may close the connection before it has read the request; then its response is
		// lost.
		o := c.do(t.Context(), clientset)
		told := code(400, "BadRequest").and(text("Client sent an HTTP request to an HTTPS server"))
		if o.err == nil || !is(io.EOF)(o.err) && !told(o.err) {
			t.Errorf("%s: error is %v", c.name, o.err)
		}
	}
}

// eachWorks makes all calls, which must succeed.
func eachWorks(t *testing.T, what string, clientset *versioned.Clientset) {
	t.Helper()
	for _, c := range calls {
		if o := c.do(t.Context(), clientset); o.err != nil {
			t.Errorf("%s: %s: %v", what, c.name, o.err)
		}
	}
}

// TestCARotates gives the server a certificate of another CA during the client's lifetime. The
// client's next request reads the file and succeeds, even if it writes.
func TestCARotates(t *testing.T) {
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			first, second := testcert.New(t), testcert.New(t)
			certs := [2]tls.Certificate{first.Server(t), second.Server(t)}
			var current atomic.Int64
			s := start(t, first, http.HandlerFunc(answer(well).handler))
			s.TLS.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
				config := s.TLS.Clone()
				config.GetConfigForClient = nil
				config.Certificates = []tls.Certificate{certs[current.Load()]}
				return config, nil
			}
			caFile := file(t, string(first.PEM))
			config := &rest.Config{Host: s.URL, TLSClientConfig: rest.TLSClientConfig{CAFile: caFile}, Proxy: noProxy}
			httpClient, err := rest.HTTPClientFor(config)
			if err != nil {
				t.Fatal(err)
			}
			defer utilnet.CloseIdleConnectionsFor(httpClient.Transport)
			clientset, err := versioned.NewForConfigAndClient(config, httpClient)
			if err != nil {
				t.Fatal(err)
			}
			rotate := func(to int64) {
				current.Store(to)
				utilnet.CloseIdleConnectionsFor(httpClient.Transport)
			}
			eachWorks(t, "at first", clientset)

			rotate(1)
			if o := c.do(t.Context(), clientset); !isA[*tls.CertificateVerificationError](o.err) {
				t.Errorf("a CA that the file does not have is trusted: %v", o.err)
			}
			if err := os.WriteFile(caFile, second.PEM, 0o600); err != nil {
				t.Fatal(err)
			}
			if o := c.do(t.Context(), clientset); o.err != nil {
				t.Errorf("after the rotation: %v", o.err)
			}
			rotate(0)
			if o := c.do(t.Context(), clientset); !isA[*tls.CertificateVerificationError](o.err) {
				t.Errorf("the CA of old is still trusted: %v", o.err)
			}
		})
	}
}

// TestTokenExpires replaces the token in its file, or in its program's output, during the client's
// lifetime. One call may fail because the token was rejected; the next must use the new one.
func TestTokenExpires(t *testing.T) {
	const fresh = "Bearer fresh"
	for name, plant := range map[string]func(*testing.T, *rest.Config) (renew func()){
		"file": func(t *testing.T, c *rest.Config) func() {
			c.BearerTokenFile = file(t, "expired")
			return func() { _ = os.WriteFile(c.BearerTokenFile, []byte("fresh"), 0o600) }
		},
		"program": func(t *testing.T, c *rest.Config) func() {
			credential := strings.Replace(credentialOf(t), `"token":"`+theToken, `"token":"expired`, 1)
			if !strings.Contains(credential, "expired") {
				credential = `{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"expired"}}`
			}
			c.ExecProvider = program(t, credential)
			return func() {
				_ = os.WriteFile(c.ExecProvider.Args[2], []byte(strings.Replace(credential, "expired", "fresh", 1)), 0o600)
			}
		},
	} {
		for _, c := range calls {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				s := start(t, nil, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("Authorization") != fresh {
						refuse(http.StatusUnauthorized, "Unauthorized", "Unauthorized", "").handler(w, r)
						return
					}
					answer(well).handler(w, r)
				}))
				config := &rest.Config{Host: s.URL, Proxy: noProxy}
				renew := plant(t, config)
				clientset := clients(t, config)
				if o := c.do(t.Context(), clientset); !code(401, "Unauthorized")(o.err) {
					t.Fatalf("with the expired token: %v", o.err)
				}
				renew()
				// One call may still use the old token until it is rejected.
				if o := c.do(t.Context(), clientset); o.err != nil && !code(401, "Unauthorized")(o.err) {
					t.Errorf("with the new token: %v", o.err)
				}
				if o := c.do(t.Context(), clientset); o.err != nil {
					t.Errorf("with the new token: %v", o.err)
				}
			})
		}
	}
}

// TestProgramFails checks that calls without credentials report the cause and are not sent.
func TestProgramFails(t *testing.T) {
	for name, test := range map[string]struct {
		command, arg string
		text         string
	}{
		"not found":  {"/nowhere/plugin", "", "executable /nowhere/plugin not found"},
		"fails":      {"/bin/sh", "echo '" + theOther + "'; exit 3", "executable /bin/sh failed with exit code 3"},
		"nonsense":   {"/bin/sh", "echo '" + theOther + "'", "is not the JSON of an ExecCredential"},
		"no token":   {"/bin/sh", `echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{}}'`, "didn't return a token"},
		"other kind": {"/bin/sh", `echo '{"kind":"` + theOther + `"}'`, "kind is not ExecCredential"},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, nil, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was sent", r.URL) }))
			plugin := program(t, "")
			plugin.Command, plugin.Args = test.command, []string{"-c", test.arg, theEnv}
			out := capture(t, 10)
			clientset := clients(t, &rest.Config{Host: s.URL, ExecProvider: plugin, Proxy: noProxy})
			for _, c := range calls {
				o := c.do(t.Context(), clientset)
				if o.err == nil || !strings.Contains(o.err.Error(), "getting credentials: ") || !strings.Contains(o.err.Error(), test.text) {
					t.Fatalf("%s: error is %v", c.name, o.err)
				}
				named(t, c, o.err)
				hidden(t, c.name, spelled(o.err), secrets...)
			}
			hidden(t, "log", out.text(t), secrets...)
		})
	}
}

// TestNobodyListens checks that a refused connection is reported immediately.
func TestNobodyListens(t *testing.T) {
	address := nobody(t)
	clientset := clients(t, &rest.Config{Host: "http://" + address, Proxy: noProxy})
	for _, c := range calls {
		o := c.do(t.Context(), clientset)
		if o.err == nil || !isA[*url.Error](o.err) || !strings.Contains(o.err.Error(), "connection refused") {
			t.Errorf("%s: error is %v", c.name, o.err)
			continue
		}
		named(t, c, o.err)
	}
}

// TestProxyRefuses checks that a proxy's rejection is distinguished from the server's, and that the
// proxy's password is not shown.
func TestProxyRefuses(t *testing.T) {
	var shown atomic.Bool
	proxy := start(t, nil, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown.Store(r.Header.Get("Proxy-Authorization") != "")
		w.WriteHeader(http.StatusProxyAuthRequired)
	}))
	to, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	to.User = url.UserPassword("jane", theProxy)
	out := capture(t, 10)
	clientset := clients(t, &rest.Config{Host: "https://server.test", BearerToken: theToken, Proxy: http.ProxyURL(to)})
	for _, c := range calls {
		o := c.do(t.Context(), clientset)
		if o.err == nil || !isA[*url.Error](o.err) || !strings.Contains(o.err.Error(), "Proxy Authentication Required") {
			t.Errorf("%s: error is %v", c.name, o.err)
			continue
		}
		named(t, c, o.err)
		hidden(t, c.name, spelled(o.err), secrets...)
	}
	if !shown.Load() {
		t.Error("the proxy was not shown the password")
	}
	hidden(t, "log", out.text(t), secrets...)
}
