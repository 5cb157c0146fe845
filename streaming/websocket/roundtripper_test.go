package websocket_test

import (
	"context"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	gorilla "github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/streaming/internal/streamtest"
	"github.com/listwatch/listwatch/streaming/websocket"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echo sends back the first message, with the user and the agent that the request names.
func echo(w http.ResponseWriter, r *http.Request) {
	upgrader := gorilla.Upgrader{Subprotocols: []string{"b", "c"}}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	kind, message, err := conn.ReadMessage()
	if err == nil {
		_ = conn.WriteMessage(kind, []byte(strings.Join([]string{string(message), r.Header.Get("Authorization"), r.UserAgent()}, "|")))
	}
}

func request(t *testing.T, target string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func TestNegotiate(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(echo))
	t.Cleanup(plain.Close)
	secure := httptest.NewTLSServer(http.HandlerFunc(echo))
	t.Cleanup(secure.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
	proxy := streamtest.NewProxy(t)
	tests := []struct {
		name   string
		config rest.Config
		hops   int // through the proxy
	}{
		{"plain", rest.Config{Host: plain.URL}, 0},
		{"TLS", rest.Config{Host: secure.URL, TLSClientConfig: rest.TLSClientConfig{CAData: ca}}, 0},
		{"proxy", rest.Config{Host: plain.URL, Proxy: http.ProxyURL(proxy.URL)}, 1},
		{"TLS by proxy", rest.Config{Host: secure.URL, TLSClientConfig: rest.TLSClientConfig{CAData: ca}, Proxy: http.ProxyURL(proxy.URL)}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := proxy.Hops()
			config := test.config
			config.BearerToken, config.UserAgent = "sesame", "tester"
			rt, holder, err := websocket.RoundTripperFor(&config)
			if err != nil {
				t.Fatal(err)
			}
			conn, err := websocket.Negotiate(rt, holder, request(t, config.Host), "a", "b")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			if conn.Subprotocol() != "b" || holder.Connection() != conn {
				t.Errorf("subprotocol %q, held: %v", conn.Subprotocol(), holder.Connection() == conn)
			}
			if err = conn.WriteMessage(gorilla.TextMessage, []byte("hello")); err != nil {
				t.Fatal(err)
			}
			_, message, err := conn.ReadMessage()
			if want := "hello|Bearer sesame|tester"; err != nil || string(message) != want {
				t.Errorf("got %q, %v, want %q", message, err, want)
			}
			if hops := proxy.Hops() - before; hops != test.hops {
				t.Errorf("%d connections through the proxy, want %d", hops, test.hops)
			}
		})
	}
}

func TestConcurrentRoundTrips(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(echo))
	t.Cleanup(server.Close)
	rt, holder, err := websocket.RoundTripperFor(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex // guards seen
	seen := map[*gorilla.Conn]bool{}
	var dialing sync.WaitGroup
	for range 10 {
		dialing.Go(func() {
			conn, err := websocket.Negotiate(rt, holder, request(t, server.URL), "c")
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if seen[conn] {
				t.Error("two calls returned one connection")
			}
			seen[conn] = true
		})
	}
	dialing.Wait()
	for conn := range seen {
		_ = conn.Close()
	}
}

func TestErrors(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(echo))
	t.Cleanup(server.Close)
	rt, holder, err := websocket.RoundTripperFor(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancelLate := context.WithDeadline(t.Context(), time.Now())
	defer cancelLate()
	for name, test := range map[string]struct {
		req      *http.Request
		protocol string
		want     string
	}{
		"scheme":   {request(t, "ftp://example.com"), "b", "unknown url scheme: ftp"},
		"protocol": {request(t, server.URL), "x", `invalid protocol, expected one of ["x"], got ""`},
		"context":  {request(t, server.URL).WithContext(ended), "b", "canceled"},
		"deadline": {request(t, server.URL).WithContext(late), "b", "context deadline exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := websocket.Negotiate(rt, holder, test.req, test.protocol)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if holder.Connection() != nil || holder.DataBufferSize() <= 0 {
		t.Errorf("holds %v, buffers %d bytes", holder.Connection(), holder.DataBufferSize())
	}
}
