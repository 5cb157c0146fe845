package transport

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/runtime/internal/testcert"
)

var errNoDial = errors.New("no dialing here")

// noDial opens no connections.
var noDial = &DialHolder{Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errNoDial }}

func TestProtocol(t *testing.T) {
	ca := testcert.New(t)
	pair := ca.Server(t)
	server := serveTLS(t, func() tls.Certificate { return pair }, nil)
	for name, test := range map[string]struct {
		protocols []string
		major     int
	}{
		"both by default": {nil, 2},
		"only HTTP/1":     {[]string{"http/1.1"}, 1},
		"only HTTP/2":     {[]string{"h2"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			rt, err := New(&Config{TLS: TLSConfig{CAData: ca.PEM, NextProtos: test.protocols}})
			if err != nil {
				t.Fatal(err)
			}
			defer utilnet.CloseIdleConnectionsFor(rt)
			resp, err := (&http.Client{Transport: rt}).Get(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			drain(resp)
			if resp.ProtoMajor != test.major {
				t.Errorf("got %s", resp.Proto)
			}
		})
	}
}

// TestSilentConnection uses a server that stops in the middle of a response, without closing the
// connection: an HTTP/2 client detects this with a ping.
func TestSilentConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ca := testcert.New(t) // created in the bubble: it is valid by the bubble's clock
		pair := ca.Server(t)
		served := make(chan error, 1)
		dial := func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			go func() {
				config := &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2"}}
				served <- serveSilently(tls.Server(newBufferedConn(server), config))
			}()
			return client, nil
		}
		rt, err := New(&Config{TLS: TLSConfig{CAData: ca.PEM}, DialHolder: &DialHolder{Dial: dial}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := get(rt, "https://localhost/watch"); err == nil {
			t.Error("a connection that is silent is as good as any")
		}
		if waited := time.Since(start); waited != 45*time.Second {
			t.Errorf("the silence was found out after %v", waited) // by the bubble's clock
		}
		if err := <-served; err != nil {
			t.Error("the server:", err)
		}
	})
}

// serveSilently starts an HTTP/2 connection and reads everything that the client sends, but sends
// nothing more.
func serveSilently(conn net.Conn) error {
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	if _, err := io.ReadFull(r, make([]byte, len(http2.ClientPreface))); err != nil {
		return err
	}
	if err := http2.NewFramer(conn, nil).WriteSettings(); err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, r)
	return nil
}

// bufferedConn is a pipe that can be written before the other side reads, which TLS assumes.
type bufferedConn struct {
	net.Conn
	written chan []byte
}

func newBufferedConn(conn net.Conn) *bufferedConn {
	r := &bufferedConn{Conn: conn, written: make(chan []byte, 100)}
	go func() {
		for data := range r.written {
			_, _ = conn.Write(data)
		}
		_ = conn.Close()
	}()
	return r
}

func (r *bufferedConn) Write(data []byte) (int, error) {
	r.written <- bytes.Clone(data)
	return len(data), nil
}

func (r *bufferedConn) Close() error {
	close(r.written)
	return nil
}

func TestProxy(t *testing.T) {
	ca := testcert.New(t)
	pair := ca.Server(t)
	server := serveTLS(t, func() tls.Certificate { return pair }, nil)
	asked := make(chan *http.Request, 1)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r
		tunnel(w, r)
	}))
	defer proxy.Close()
	proxyURL, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxyURL.User = url.UserPassword("user", "pw")

	rt, err := New(&Config{TLS: TLSConfig{CAData: ca.PEM}, BearerToken: "tok", Proxy: http.ProxyURL(proxyURL)})
	if err != nil {
		t.Fatal(err)
	}
	defer utilnet.CloseIdleConnectionsFor(rt)
	if _, err := get(rt, server.URL); err != nil {
		t.Fatal(err)
	}
	r := <-asked
	if r.Method != http.MethodConnect || "https://"+r.Host != server.URL {
		t.Errorf("the proxy received %s %s", r.Method, r.Host)
	}
	if r.Header.Get("Proxy-Authorization") != "Basic dXNlcjpwdw==" || r.Header.Get("Authorization") != "" {
		t.Errorf("the proxy saw %v", r.Header)
	}
}

// tunnel connects a client with the requested server.
func tunnel(w http.ResponseWriter, r *http.Request) {
	server, err := net.Dial("tcp", r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	client, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		_ = server.Close()
		return
	}
	_, _ = io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	go func() {
		_, _ = io.Copy(client, server)
		_ = client.Close()
	}()
}

func TestDisableCompression(t *testing.T) {
	accepted := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		accepted <- r.Header.Get("Accept-Encoding")
	}))
	defer server.Close()
	for _, disable := range []bool{false, true} {
		rt, err := New(&Config{DisableCompression: disable})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := get(rt, server.URL); err != nil {
			t.Fatal(err)
		}
		if got := <-accepted; (got == "") != disable {
			t.Errorf("disabled: %v, accepted: %q", disable, got)
		}
		utilnet.CloseIdleConnectionsFor(rt)
	}
}
