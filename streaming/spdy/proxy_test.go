package spdy_test

import (
	"context"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/streaming/internal/streamtest"
	"github.com/listwatch/listwatch/streaming/spdy"
)

// dial opens a connection to a server.
func dial(ctx context.Context, t *testing.T, config *rest.Config, protocol string) (io.Closer, error) {
	t.Helper()
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, config.Host, nil)
	if err != nil {
		t.Fatal(err)
	}
	conn, _, err := spdy.Negotiate(upgrader, &http.Client{Transport: transport}, req, protocol)
	return conn, err
}

func TestProxy(t *testing.T) {
	plain := echo(t, make(chan http.Header, 10))
	secure := httptest.NewTLSServer(plain.Config.Handler)
	t.Cleanup(secure.Close)
	ca := rest.TLSClientConfig{CAData: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})}
	proxy := streamtest.NewProxy(t)
	stranger := *proxy.URL
	stranger.User = url.UserPassword("user", "s3cr3t")
	for _, test := range []struct {
		name   string
		config rest.Config
		hops   int
		want   string // of the error, if any
	}{
		{"plain", rest.Config{Host: plain.URL, Proxy: http.ProxyURL(proxy.URL)}, 1, ""},
		{"TLS", rest.Config{Host: secure.URL, TLSClientConfig: ca, Proxy: http.ProxyURL(proxy.URL)}, 1, ""},
		{"unknown server", rest.Config{Host: secure.URL, Proxy: http.ProxyURL(proxy.URL)}, 1, "certificate"},
		{"wrong password", rest.Config{Host: plain.URL, Proxy: http.ProxyURL(&stranger)}, 0, "407 Proxy Authentication Required"},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := proxy.Hops()
			conn, err := dial(t.Context(), t, &test.config, "b")
			if err == nil {
				if closeErr := conn.Close(); closeErr != nil {
					t.Error(closeErr)
				}
			}
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "s3cr3t")):
				t.Errorf("got %v, want %q", err, test.want)
			}
			if hops := proxy.Hops() - before; hops != test.hops {
				t.Errorf("%d connections through the proxy, want %d", hops, test.hops)
			}
		})
	}
}

// TestDeadline checks that the error of a call that is too late is the context's.
func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	server := echo(t, make(chan http.Header, 1))
	if _, err := dial(ctx, t, &rest.Config{Host: server.URL}, "b"); !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "i/o timeout") {
		t.Errorf("got %v", err)
	}
}

// TestSilentProxy ends the context while the proxy, or the server behind it, does not respond.
func TestSilentProxy(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	address := "http://" + silent.Addr().String()
	for name, config := range map[string]*rest.Config{
		"proxy":             {Host: "http://server.test", Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: silent.Addr().String()})},
		"server":            {Host: address, Proxy: http.ProxyURL(streamtest.NewProxy(t).URL)},
		"handshake":         {Host: "https" + address[4:], Proxy: http.ProxyURL(streamtest.NewProxy(t).URL)},
		"proxy's handshake": {Host: "http://server.test", Proxy: http.ProxyURL(&url.URL{Scheme: "https", Host: silent.Addr().String()})},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				conn, err := silent.Accept()
				if err != nil {
					cancel()
					return
				}
				_, _ = conn.Read(make([]byte, 1))
				cancel()
				_, _ = io.Copy(io.Discard, conn) // until the client closes it
				_ = conn.Close()
			}()
			if _, err := dial(ctx, t, config, "b"); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
	}
}
