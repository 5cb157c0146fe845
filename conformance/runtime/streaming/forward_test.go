package streaming_test

import (
	"bytes"
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
	apihttpstream "k8s.io/apimachinery/pkg/util/httpstream"
	theirrest "k8s.io/client-go/rest"
	theirs "k8s.io/client-go/tools/portforward"
	theirspdy "k8s.io/client-go/transport/spdy"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"

	ourrest "github.com/listwatch/listwatch/runtime/rest"
	ours "github.com/listwatch/listwatch/streaming/portforward"
	ourspdy "github.com/listwatch/listwatch/streaming/spdy"
)

// pod handles a forwarded connection, and returns the server's error.
type pod func(data io.ReadWriteCloser) error

// servePorts starts a server that forwards to p, over SPDY and over SPDY inside WebSockets.
func servePorts(t *testing.T, p pod) *httptest.Server {
	t.Helper()
	var serving sync.WaitGroup
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving.Add(1)
		defer serving.Done()
		streams := make(chan httpstream.Stream, 100)
		accept := func(s httpstream.Stream, replied <-chan struct{}) error {
			go func() {
				<-replied
				streams <- s
			}()
			return nil
		}
		var conn httpstream.Connection
		if websocket.IsWebSocketUpgrade(r) {
			upgrader := websocket.Upgrader{Subprotocols: []string{"SPDY/3.1+portforward.k8s.io"}}
			socket, err := upgrader.Upgrade(w, r, nil)
			if err != nil {
				return
			}
			if conn, err = spdy.NewServerConnection(theirs.NewTunnelingConnection("server", socket), accept); err != nil {
				return
			}
		} else {
			if _, err := httpstream.Handshake(r, w, []string{theirs.PortForwardProtocolV1Name}); err != nil {
				return
			}
			if conn = spdy.NewResponseUpgrader().UpgradeResponse(w, r, accept); conn == nil {
				return
			}
		}
		defer func() { _ = conn.Close() }()
		pairs := map[string]map[string]httpstream.Stream{}
		for {
			select {
			case <-conn.CloseChan():
				return
			case s := <-streams:
				id := s.Headers().Get("requestID")
				if pairs[id] == nil {
					pairs[id] = map[string]httpstream.Stream{}
				}
				pair := pairs[id]
				pair[s.Headers().Get("streamType")] = s
				if len(pair) < 2 {
					continue
				}
				serving.Go(func() {
					if err := p(pair["data"]); err != nil {
						_, _ = io.WriteString(pair["error"], err.Error())
					}
					_ = pair["data"].Close()
					_ = pair["error"].Close()
				})
			}
		}
	}))
	t.Cleanup(func() {
		server.Close()
		wait(t, &serving)
	})
	return server
}

// wait waits for the server's goroutines. One may wait forever: if the reply to a stream could not be written, because the
// connection was just closed, spdystream v0.5.1 waits for it whenever the stream is written or closed.
func wait(t *testing.T, serving *sync.WaitGroup) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		serving.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Log("the server waits for the reply to a stream")
	}
}

// forwarder forwards a port.
type forwarder interface {
	ForwardPorts() error
	port() uint16
}

type (
	theirForwarder struct{ *theirs.PortForwarder }
	ourForwarder   struct{ *ours.PortForwarder }
)

func (f theirForwarder) port() uint16 {
	ports, err := f.GetPorts()
	if err != nil || len(ports) == 0 {
		return 0
	}
	return ports[0].Local
}

func (f ourForwarder) port() uint16 {
	ports, err := f.GetPorts()
	if err != nil || len(ports) == 0 {
		return 0
	}
	return ports[0].Local
}

// newForwarder returns a forwarder to the server at host.
type newForwarder func(host string, stop <-chan struct{}, ready chan struct{}, out io.Writer) (forwarder, error)

var portKinds = map[string]struct{ theirs, ours newForwarder }{
	"SPDY": {
		func(host string, stop <-chan struct{}, ready chan struct{}, out io.Writer) (forwarder, error) {
			transport, upgrader, err := theirspdy.RoundTripperFor(&theirrest.Config{Host: host})
			if err != nil {
				return nil, err
			}
			return theirForward(theirspdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, target(host)), stop, ready, out)
		},
		func(host string, stop <-chan struct{}, ready chan struct{}, out io.Writer) (forwarder, error) {
			transport, upgrader, err := ourspdy.RoundTripperFor(&ourrest.Config{Host: host})
			if err != nil {
				return nil, err
			}
			return ourForward(ourspdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, target(host)), stop, ready, out)
		},
	},
	"tunnel": {
		func(host string, stop <-chan struct{}, ready chan struct{}, out io.Writer) (forwarder, error) {
			dialer, err := theirs.NewSPDYOverWebsocketDialer(target(host), &theirrest.Config{Host: host})
			if err != nil {
				return nil, err
			}
			return theirForward(dialer, stop, ready, out)
		},
		func(host string, stop <-chan struct{}, ready chan struct{}, out io.Writer) (forwarder, error) {
			dialer, err := ours.NewSPDYOverWebsocketDialer(target(host), &ourrest.Config{Host: host})
			if err != nil {
				return nil, err
			}
			return ourForward(dialer, stop, ready, out)
		},
	},
}

func target(host string) *url.URL {
	return &url.URL{Scheme: "http", Host: host, Path: "/portforward"}
}

func theirForward(dialer apihttpstream.Dialer, stop <-chan struct{}, ready chan struct{}, out io.Writer) (forwarder, error) {
	f, err := theirs.NewOnAddresses(dialer, []string{"127.0.0.1"}, []string{":80"}, stop, ready, out, out)
	return theirForwarder{f}, err
}

func ourForward(dialer apihttpstream.Dialer, stop <-chan struct{}, ready chan struct{}, out io.Writer) (forwarder, error) {
	f, err := ours.NewOnAddresses(dialer, []string{"127.0.0.1"}, []string{":80"}, stop, ready, out, out)
	return ourForwarder{f}, err
}

// client is the local end of a forwarded connection.
type client func(*net.TCPConn) string

// forwarded is what clients, and the caller of ForwardPorts, see.
type forwarded struct {
	err     string
	clients []string
	out     string
}

// forward runs a forwarder and its clients, one after the other, and then stops it, if it has not ended.
func (create newForwarder) forward(t *testing.T, host string, clients ...client) forwarded {
	t.Helper()
	var out bytes.Buffer
	stop, ready := make(chan struct{}), make(chan struct{})
	f, err := create(host, stop, ready, &out)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- f.ForwardPorts() }()
	var result forwarded
	select {
	case <-ready:
	case err = <-ended:
		return forwarded{err: textOf(err)}
	case <-time.After(patience):
		close(stop)
		return forwarded{err: "hangs"}
	}
	for _, c := range clients {
		conn, dialErr := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", f.port()))
		if dialErr != nil {
			result.clients = append(result.clients, "refused")
			continue
		}
		_ = conn.SetDeadline(time.Now().Add(patience))
		result.clients = append(result.clients, c(conn.(*net.TCPConn)))
		_ = conn.Close()
	}
	select {
	case err = <-ended:
	case <-time.After(50 * time.Millisecond):
		close(stop)
		select {
		case err = <-ended:
		case <-time.After(patience):
			err = errors.New("does not stop")
		}
	}
	result.err = textOf(err)
	result.out = strings.ReplaceAll(out.String(), fmt.Sprint(f.port()), "PORT")
	return result
}

// talk sends a text, closes its half, and reads the answer.
func talk(text string) client {
	return func(conn *net.TCPConn) string {
		_, _ = io.WriteString(conn, text)
		_ = conn.CloseWrite()
		answer, err := io.ReadAll(conn)
		return fmt.Sprintf("%.100q of %d bytes, failed: %v", answer, len(answer), err != nil)
	}
}

// hear is talk to a pod that may leave the text unread. Its connection is then reset, unless the forwarder has read the
// text before it closes: so how it ends is not told.
func hear(text string) client {
	return func(conn *net.TCPConn) string {
		_, _ = io.WriteString(conn, text)
		_ = conn.CloseWrite()
		answer, _ := io.ReadAll(conn)
		return string(answer)
	}
}

// hangUp sends a text, and closes the connection.
func hangUp(conn *net.TCPConn) string {
	_, _ = io.WriteString(conn, "bye")
	return ""
}

func TestPorts(t *testing.T) {
	echo := func(data io.ReadWriteCloser) error { _, err := io.Copy(data, data); return err }
	long := strings.Repeat("z", 1<<20)
	for name, c := range map[string]struct {
		pod     pod
		clients []client
	}{
		"echo":               {echo, []client{talk("hello"), talk(""), talk(long)}},
		"one hangs up":       {echo, []client{hangUp, talk("hello")}},
		"server closes":      {func(io.ReadWriteCloser) error { return nil }, []client{hear("hello"), hear("again")}},
		"server answers":     {func(data io.ReadWriteCloser) error { _, err := io.WriteString(data, "hi"); return err }, []client{hear("hello"), hear("")}},
		"error":              {func(io.ReadWriteCloser) error { return errors.New("connection refused") }, []client{hear("hello")}},
		"error after output": {func(data io.ReadWriteCloser) error { _, _ = io.WriteString(data, "hi"); return errors.New("reset") }, []client{hear("hello")}},
	} {
		for kind, k := range portKinds {
			t.Run(kind+" "+name, func(t *testing.T) {
				server := servePorts(t, c.pod)
				host := server.Listener.Addr().String()
				want, got := k.theirs.forward(t, host, c.clients...), k.ours.forward(t, host, c.clients...)
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("forwarding gives %v, and with client-go %v", got, want)
				}
			})
		}
	}
}

func TestPortsRefused(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"text":    func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no way", http.StatusInternalServerError) },
		"nothing": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"another protocol": func(w http.ResponseWriter, r *http.Request) {
			_, _ = httpstream.Handshake(r, w, []string{"other"})
		},
	} {
		for kind, k := range portKinds {
			t.Run(kind+" "+name, func(t *testing.T) {
				server := httptest.NewServer(handler)
				t.Cleanup(server.Close)
				host := server.Listener.Addr().String()
				want, got := k.theirs.forward(t, host), k.ours.forward(t, host)
				if !strings.HasPrefix(got.err, want.err) { // ours also quotes the response
					t.Errorf("forwarding gives %v, and with client-go %v", got, want)
				}
			})
		}
	}
}

// TestPortsCut cuts the connection to the server after each number of bytes: what a client receives is a beginning of
// the whole, and the forwarder says that the connection is lost.
func TestPortsCut(t *testing.T) {
	server := servePorts(t, func(data io.ReadWriteCloser) error { _, err := io.Copy(data, data); return err })
	for kind, k := range portKinds {
		for _, how := range []how{closes, resets} {
			t.Run(fmt.Sprintf("%s %s", kind, how), func(t *testing.T) {
				counts := map[string]int{}
				for n := int64(0); n < 400; n += 1 + n/10 {
					host := behind(t, server.Listener.Addr(), fault{n, -1, how})
					got := k.ours.forward(t, host, talk("hello"))
					counts[got.err]++
					if got.err == "<nil>" && got.clients[0] != `"hello" of 5 bytes, failed: false` || got.err == "hangs" || got.err == "does not stop" {
						t.Errorf("after %d bytes: %v", n, got)
					}
				}
				t.Log(counts)
			})
		}
	}
}
