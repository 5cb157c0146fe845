package streamtest

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// Proxy is an HTTP proxy that requires a password.
type Proxy struct {
	// URL is the address of the proxy, with the password.
	URL *url.URL

	mu    sync.Mutex // guards count
	count int
}

// NewProxy starts a proxy that runs until the test ends.
func NewProxy(t testing.TB) *Proxy {
	t.Helper()
	p := &Proxy{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The same as user:password.
		if r.Method != http.MethodConnect || r.Header.Get("Proxy-Authorization") != "Basic dXNlcjpwYXNzd29yZA==" {
			http.Error(w, "not you", http.StatusProxyAuthRequired)
			return
		}
		target, err := net.Dial("tcp", r.Host)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer func() { _ = target.Close() }()
		// The client sends nothing before the response, of which the server would read the first byte.
		client, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = client.Close() }()
		_, _ = io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
		p.mu.Lock()
		p.count++
		p.mu.Unlock()
		var copying sync.WaitGroup
		for _, pair := range [][2]net.Conn{{client, target}, {target, client}} {
			copying.Go(func() {
				_, _ = io.Copy(pair[0], pair[1]) // the ends notice what is lost
				_ = pair[0].Close()
			})
		}
		copying.Wait()
	}))
	t.Cleanup(server.Close)
	var err error
	if p.URL, err = url.Parse(strings.Replace(server.URL, "://", "://user:password@", 1)); err != nil {
		t.Fatal(err)
	}
	return p
}

// Hops returns the number of connections that were made through the proxy.
func (p *Proxy) Hops() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count
}
