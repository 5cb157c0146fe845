package faults_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/testcert"
	"github.com/listwatch/listwatch/runtime/rest"
)

// visits are the requests that a server received.
type visits struct {
	mu   sync.Mutex // guards seen
	seen []*http.Request
}

func (v *visits) add(r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.seen = append(v.seen, r)
}

// TestRedirects checks that a redirected client sends its credentials only to the same server, and
// its writes to no other server.
func TestRedirects(t *testing.T) {
	ca := testcert.New(t)
	for _, by := range credentials {
		for name, where := range map[string]struct {
			tls     bool // the server that redirects
			to      func(self, other, otherTLS string) string
			trusted bool
		}{
			"same server":        {true, func(self, _, _ string) string { return self }, true},
			"path":               {true, func(string, string, string) string { return "" }, true},
			"other server":       {true, func(_, _, otherTLS string) string { return otherTLS }, false},
			"other, without TLS": {true, func(_, other, _ string) string { return other }, false},
			"from http to https": {false, func(_, _, otherTLS string) string { return otherTLS }, false},
			"other name": {true, func(self, _, _ string) string {
				return strings.Replace(self, "127.0.0.1", "localhost", 1)
			}, false},
		} {
			t.Run(by.name+"/"+name, func(t *testing.T) {
				var visited visits
				elsewhere := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					visited.add(r)
					answer(well).handler(w, r)
				})
				other := start(t, nil, elsewhere)
				otherTLS := start(t, ca, elsewhere)
				var self *httptest.Server
				redirecting := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if rest, ok := strings.CutPrefix(r.URL.Path, "/moved"); ok {
						r.URL.Path = rest
						elsewhere(w, r)
						return
					}
					to := where.to(self.URL, other.URL, otherTLS.URL) + "/moved" + r.URL.RequestURI()
					if !where.trusted {
						to = strings.Replace(to, "/moved", "", 1)
						if name == "other name" {
							to = strings.Replace(to, "/apis", "/moved/apis", 1)
							to = strings.Replace(to, "/version", "/moved/version", 1)
							to = strings.Replace(to, "/api?", "/moved/api?", 1)
						}
					}
					http.Redirect(w, r, to, http.StatusTemporaryRedirect)
				})
				if where.tls {
					self = start(t, ca, redirecting)
				} else {
					self = start(t, nil, redirecting)
				}
				config := &rest.Config{Host: self.URL, TLSClientConfig: rest.TLSClientConfig{CAData: ca.PEM}, Proxy: noProxy}
				by.plant(t, config)
				clientset := clients(t, config)
				for _, c := range calls[:len(calls)-2] { // all except discovery
					visited.seen = nil
					o := c.do(t.Context(), clientset)
					writes := c.name == "create" || c.name == "update" || c.name == "delete"
					switch {
					case writes && !where.trusted:
						if o.err == nil || len(visited.seen) > 0 {
							t.Errorf("%s was repeated at another server: %v", c.name, o.err)
						}
						continue
					case o.err != nil:
						t.Errorf("%s: %v", c.name, o.err)
						continue
					case len(visited.seen) != 1:
						t.Fatalf("%s: %d visits", c.name, len(visited.seen))
					}
					r := visited.seen[0]
					if where.trusted {
						if by.name != "URL of the host" && !by.arrives(r) {
							t.Errorf("%s: the server that redirects to itself is shown no credentials", c.name)
						}
						continue
					}
					for key, values := range r.Header {
						hidden(t, c.name+": header "+key, strings.Join(values, " "), secrets...)
						if strings.HasPrefix(key, "Impersonate") || key == "Authorization" {
							t.Errorf("%s: another server is shown %s", c.name, key)
						}
					}
				}
			})
		}
	}
}

// start runs a server until the test ends, with TLS if ca is not nil.
func start(t *testing.T, ca *testcert.CA, handler http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.Config.ErrorLog = quiet
	t.Cleanup(s.Close)
	if ca == nil {
		s.Start()
		return s
	}
	s.EnableHTTP2 = true
	s.TLS = serverTLS(ca.Server(t))
	s.StartTLS()
	return s
}
