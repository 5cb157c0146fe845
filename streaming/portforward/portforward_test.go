package portforward_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"k8s.io/apimachinery/pkg/util/httpstream"
	streaming "k8s.io/streaming/pkg/httpstream"
	serverspdy "k8s.io/streaming/pkg/httpstream/spdy"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/streaming/portforward"
	"github.com/listwatch/listwatch/streaming/spdy"
)

// pod handles a forwarded connection to a port of a pod: it reads and writes data, and returns the server's error.
type pod func(port string, data io.ReadWriteCloser) error

func echo(_ string, data io.ReadWriteCloser) error {
	_, err := io.Copy(data, data)
	return err
}

// serve starts a server that forwards to p, over SPDY, and over SPDY inside WebSockets if tunnels is set.
func serve(t *testing.T, tunnels bool, p pod) *rest.Config {
	t.Helper()
	config, stop := start(tunnels, p, t.Error)
	t.Cleanup(stop)
	return config
}

// start starts a server like serve, which passes its errors to report.
func start(tunnels bool, p pod, report func(...any)) (config *rest.Config, stop func()) {
	var serving sync.WaitGroup
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving.Add(1)
		defer serving.Done()
		type accepted struct {
			streaming.Stream
			replied <-chan struct{}
		}
		streams := make(chan accepted, 100)
		accept := func(s streaming.Stream, replied <-chan struct{}) error {
			streams <- accepted{s, replied}
			return nil
		}
		var conn streaming.Connection
		if websocket.IsWebSocketUpgrade(r) {
			if !tunnels {
				http.Error(w, "no tunnels here", http.StatusBadRequest)
				return
			}
			upgrader := websocket.Upgrader{Subprotocols: []string{"SPDY/3.1+portforward.k8s.io"}}
			socket, err := upgrader.Upgrade(w, r, nil)
			if err != nil {
				return
			}
			conn, err = serverspdy.NewServerConnection(portforward.NewTunnelingConnection("server", socket), accept)
			if err != nil {
				report(err)
				return
			}
		} else {
			if _, err := streaming.Handshake(r, w, []string{portforward.PortForwardProtocolV1Name}); err != nil {
				return
			}
			if conn = serverspdy.NewResponseUpgrader().UpgradeResponse(w, r, accept); conn == nil {
				return
			}
		}
		defer func() { _ = conn.Close() }()
		errorStreams := map[string]streaming.Stream{}
		for {
			select {
			case <-conn.CloseChan():
				return
			case s := <-streams:
				<-s.replied
				id := s.Headers().Get("requestID")
				if s.Headers().Get("streamType") == "error" {
					errorStreams[id] = s
					continue
				}
				reports := errorStreams[id]
				serving.Go(func() {
					if err := p(s.Headers().Get("port"), s); err != nil {
						_, _ = io.WriteString(reports, err.Error())
					}
					_ = s.Close()
					_ = reports.Close()
				})
			}
		}
	}))
	return &rest.Config{Host: server.URL}, func() {
		server.Close()
		wait(&serving)
	}
}

// wait waits for the server's goroutines. One may wait forever: if the reply to a stream could not be written, because the
// connection was just closed, spdystream v0.5.1 waits for it whenever the stream is written or closed.
func wait(serving *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		serving.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
	}
}

func spdyDialer(t *testing.T, config *rest.Config) httpstream.Dialer {
	t.Helper()
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	return spdy.NewDialer(upgrader, &http.Client{Transport: transport}, "POST", u)
}

func tunnelDialer(t *testing.T, config *rest.Config) httpstream.Dialer {
	t.Helper()
	u, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	dialer, err := portforward.NewSPDYOverWebsocketDialer(u, config)
	if err != nil {
		t.Fatal(err)
	}
	return dialer
}

func fallbackDialer(t *testing.T, config *rest.Config) httpstream.Dialer {
	t.Helper()
	return portforward.NewFallbackDialer(tunnelDialer(t, config), spdyDialer(t, config), httpstream.IsUpgradeFailure)
}

// forward runs a forwarder of ports until the test ends. It returns the local addresses, a function that stops
// it and returns its error, and one that waits for that.
func forward(t *testing.T, dialer httpstream.Dialer, out io.Writer, ports ...string) (addresses []string, stop, ended func() error) {
	t.Helper()
	stopping, ready := make(chan struct{}), make(chan struct{})
	forwarder, err := portforward.NewOnAddresses(dialer, []string{"127.0.0.1"}, ports, stopping, ready, out, out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = forwarder.GetPorts(); err == nil {
		t.Error("GetPorts succeeds before the forwarder is ready")
	}
	result := make(chan error, 1)
	go func() { result <- forwarder.ForwardPorts() }()
	ended = sync.OnceValue(func() error { return <-result })
	stop = sync.OnceValue(func() error {
		close(stopping)
		return ended()
	})
	t.Cleanup(func() { _ = stop() })
	select {
	case <-ready:
	case err = <-result:
		result <- err
		t.Fatal(err)
	}
	forwarded, err := forwarder.GetPorts()
	if err != nil {
		t.Fatal(err)
	}
	for _, port := range forwarded {
		addresses = append(addresses, fmt.Sprintf("127.0.0.1:%d", port.Local))
	}
	return addresses, stop, ended
}

func TestForwardPorts(t *testing.T) {
	for name, dialer := range map[string]func(*testing.T, *rest.Config) httpstream.Dialer{
		"SPDY": spdyDialer, "tunnel": tunnelDialer, "fallback": fallbackDialer,
	} {
		t.Run(name, func(t *testing.T) {
			config := serve(t, name == "tunnel", func(port string, data io.ReadWriteCloser) error {
				if _, err := io.WriteString(data, port+" "); err != nil {
					return err
				}
				return echo(port, data)
			})
			var out bytes.Buffer
			addresses, stop, _ := forward(t, dialer(t, config), &out, ":80", ":8080")
			var connecting sync.WaitGroup
			for i, port := range []string{"80", "8080", "80", "8080"} {
				connecting.Go(func() {
					conn, err := net.Dial("tcp", addresses[i%2])
					if err != nil {
						t.Error(err)
						return
					}
					defer func() { _ = conn.Close() }()
					sent := strings.Repeat(fmt.Sprint(i), 300_000)
					go func() {
						_, _ = io.WriteString(conn, sent)
						_ = conn.(*net.TCPConn).CloseWrite()
					}()
					got, err := io.ReadAll(conn)
					if want := port + " " + sent; err != nil || string(got) != want {
						t.Errorf("connection %d: got %.20q of %d bytes, %v, want %.20q of %d bytes", i, got, len(got), err, want, len(want))
					}
				})
			}
			connecting.Wait()
			if err := stop(); err != nil {
				t.Errorf("stopped with %v", err)
			}
			for _, want := range []string{"Forwarding from 127.0.0.1:", "-> 8080\n", "Handling connection for "} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("output %q does not contain %q", out.String(), want)
				}
			}
			if conn, err := net.Dial("tcp", addresses[0]); err == nil {
				_ = conn.Close()
				t.Error("the port still accepts connections")
			}
		})
	}
}

func TestStopWithOpenConnections(t *testing.T) {
	config := serve(t, true, echo)
	for name, dialer := range map[string]httpstream.Dialer{"SPDY": spdyDialer(t, config), "tunnel": tunnelDialer(t, config)} {
		t.Run(name, func(t *testing.T) {
			addresses, stop, _ := forward(t, dialer, nil, ":80")
			conn, err := net.Dial("tcp", addresses[0])
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			if _, err := io.WriteString(conn, "x"); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(conn, make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			if err := stop(); err != nil {
				t.Errorf("stopped with %v", err)
			}
			if _, err := conn.Read(make([]byte, 1)); err == nil {
				t.Error("the connection is still open")
			}
		})
	}
}

func TestErrorOfServer(t *testing.T) {
	config := serve(t, true, func(string, io.ReadWriteCloser) error { return errors.New("connection refused") })
	addresses, _, ended := forward(t, spdyDialer(t, config), nil, ":80")
	conn, err := net.Dial("tcp", addresses[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.ReadAll(conn); err != nil {
		t.Fatal(err)
	}
	if err := ended(); !errors.Is(err, portforward.ErrLostConnectionToPod) {
		t.Errorf("got %v, want %v", err, portforward.ErrLostConnectionToPod)
	}
}

// blockedDialer dials until the test ends.
type blockedDialer struct{ called, end chan struct{} }

func (d blockedDialer) Dial(...string) (httpstream.Connection, string, error) {
	close(d.called)
	<-d.end
	return nil, "", errors.New("the end")
}

func TestStopWhileDialing(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	config := &rest.Config{Host: "http://" + silent.Addr().String()}
	foreign := blockedDialer{make(chan struct{}), make(chan struct{})}
	defer close(foreign.end)
	for name, dialer := range map[string]httpstream.Dialer{
		"SPDY": spdyDialer(t, config), "tunnel": tunnelDialer(t, config), "fallback": fallbackDialer(t, config), "foreign": foreign,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			forwarder, err := portforward.NewOnAddressesWithContext(ctx, dialer, []string{"127.0.0.1"}, []string{":80"}, nil, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			result := make(chan error, 1)
			go func() { result <- forwarder.ForwardPorts() }()
			if name == "foreign" {
				<-foreign.called
			} else {
				conn, err := silent.Accept()
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = conn.Close() }()
			}
			cancel()
			if err := <-result; err != nil {
				t.Errorf("stopped with %v", err)
			}
		})
	}
}

// TestQueriesStaySecret dials a server that does not exist.
func TestQueriesStaySecret(t *testing.T) {
	const secret = "s3cr3t"
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for _, host := range []string{closed.URL + "?token=" + secret, "http://no-such-host.invalid?token=" + secret} {
		config := &rest.Config{Host: host}
		for name, dialer := range map[string]httpstream.Dialer{
			"SPDY": spdyDialer(t, config), "tunnel": tunnelDialer(t, config), "fallback": fallbackDialer(t, config),
		} {
			if text := fmt.Sprintf("%v %+v %#v %s", dialer, dialer, dialer, dialer); strings.Contains(text, secret) {
				t.Errorf("%s is printed as %s", name, text)
			}
			_, _, err := dialer.Dial(portforward.PortForwardProtocolV1Name)
			if text := fmt.Sprintf("%v %+v", err, err); err == nil || strings.Contains(text, secret) {
				t.Errorf("%s: error is %s", name, text)
			}
		}
	}
}

func TestPortsInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	dialer := spdyDialer(t, serve(t, false, echo))
	var out bytes.Buffer
	forwarder, err := portforward.NewOnAddresses(dialer, []string{"127.0.0.1"}, []string{port + ":80"}, nil, nil, &out, &out)
	if err != nil {
		t.Fatal(err)
	}
	if err := forwarder.ForwardPorts(); err == nil || !strings.Contains(err.Error(), "unable to listen on any of the requested ports") {
		t.Errorf("got %v", err)
	}
	if want := "Unable to listen on port " + port; !strings.Contains(out.String(), want) {
		t.Errorf("output %q does not contain %q", out.String(), want)
	}
}

func TestNew(t *testing.T) {
	tests := []struct {
		name             string
		addresses, ports []string
		want             string
	}{
		{"one port", []string{"localhost"}, []string{"5000"}, ""},
		{"two ports", []string{"localhost"}, []string{"8888:5000", ":80", "0:90"}, ""},
		{"IPs", []string{"127.0.0.1", "::1", "localhost", "192.168.1.2"}, []string{"80"}, ""},
		{"no ports", []string{"localhost"}, nil, "you must specify at least 1 port"},
		{"no addresses", nil, []string{"80"}, "you must specify at least 1 address"},
		{"a name", []string{"example.com"}, []string{"80"}, "example.com is not a valid IP"},
		{"three numbers", []string{"localhost"}, []string{"1:2:3"}, "invalid port format '1:2:3'"},
		{"no remote port", []string{"localhost"}, []string{"80:"}, "error parsing remote port ''"},
		{"remote port 0", []string{"localhost"}, []string{"80:0"}, "remote port must be > 0"},
		{"too large", []string{"localhost"}, []string{"65536"}, "error parsing local port '65536'"},
		{"no number", []string{"localhost"}, []string{"http"}, "error parsing local port 'http'"},
		{"negative", []string{"localhost"}, []string{"-1:80"}, "error parsing local port '-1'"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := portforward.NewOnAddresses(nil, test.addresses, test.ports, nil, nil, nil, nil)
			if got := fmt.Sprint(err); test.want == "" && err != nil || !strings.Contains(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestForStreaming(t *testing.T) {
	config := serve(t, true, echo)
	u, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	tunnel, err := portforward.NewSPDYOverWebsocketDialerForStreaming(u, config)
	if err != nil {
		t.Fatal(err)
	}
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		t.Fatal(err)
	}
	second := spdy.NewDialerForStreaming(upgrader, &http.Client{Transport: transport}, "POST", u)
	both := portforward.NewFallbackDialerForStreaming(tunnel, second, streaming.IsUpgradeFailure)
	for name, dialer := range map[string]streaming.Dialer{"tunnel": tunnel, "SPDY": second, "fallback": both} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			ready := make(chan struct{})
			forwarder, err := portforward.NewOnAddressesForStreamingWithContext(ctx, dialer, []string{"localhost"}, []string{":80"}, ready, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			result := make(chan error, 1)
			go func() { result <- forwarder.ForwardPorts() }()
			<-ready
			cancel()
			if err := <-result; err != nil {
				t.Error(err)
			}
		})
	}
}
