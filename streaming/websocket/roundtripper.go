package websocket

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"github.com/gorilla/websocket"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/streaming/pkg/httpstream/wsstream"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/transport"
)

// bufferSize is the number of bytes that a connection buffers in each direction, without the byte that names the
// channel of a message.
const bufferSize = 32 << 10

// ConnectionHolder holds the connection of the last successful upgrade of a round tripper.
type ConnectionHolder interface {
	// DataBufferSize returns the size of the connection's buffers in bytes.
	DataBufferSize() int
	// Connection returns the connection, nil if there is none.
	Connection() *websocket.Conn
}

// RoundTripper upgrades connections to WebSockets. It is safe for concurrent use, except that Conn is overwritten by
// each round trip; [Negotiate] returns the connection of its own.
type RoundTripper struct {
	// TLSConfig contains the TLS settings of connections; nil uses the defaults.
	TLSConfig *tls.Config

	// Proxier returns the proxy of a request, nil for none. If it is nil, there are no proxies.
	Proxier func(req *http.Request) (*url.URL, error)

	// Conn is the connection of the last successful round trip.
	Conn *websocket.Conn

	mu sync.Mutex // guards Conn
}

type connKey struct{}

// RoundTripperFor returns a round tripper that sends upgrade requests with the settings of config, and the holder of
// its connections.
func RoundTripperFor(config *rest.Config) (http.RoundTripper, ConnectionHolder, error) {
	transportConfig, err := config.TransportConfig()
	if err != nil {
		return nil, nil, err
	}
	tlsConfig, err := transport.TLSConfigFor(transportConfig)
	if err != nil {
		return nil, nil, err
	}
	proxy := config.Proxy
	if proxy == nil {
		proxy = utilnet.NewProxierWithNoProxyCIDR(http.ProxyFromEnvironment)
	}
	upgrading := &RoundTripper{TLSConfig: tlsConfig, Proxier: proxy}
	wrapped, err := transport.HTTPWrappersForConfig(transportConfig, upgrading)
	if err != nil {
		return nil, nil, err
	}
	return wrapped, upgrading, nil
}

// Connection returns Conn.
func (rt *RoundTripper) Connection() *websocket.Conn {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	return rt.Conn
}

// DataBufferSize returns the size of a connection's buffers in bytes.
func (*RoundTripper) DataBufferSize() int { return bufferSize }

// TLSClientConfig returns TLSConfig.
func (rt *RoundTripper) TLSClientConfig() *tls.Config { return rt.TLSConfig }

// RoundTrip sends an upgrade request for the subprotocols in req's header Sec-Websocket-Protocol. Its method must be
// GET. The request's context ends only the upgrade, not the connection.
func (rt *RoundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer func() { _ = req.Body.Close() }() // an upgrade request has no content to fail
	}
	target := *req.URL
	switch target.Scheme {
	case "https":
		target.Scheme = "wss"
	case "http":
		target.Scheme = "ws"
	default:
		return nil, fmt.Errorf("unknown url scheme: %s", target.Scheme)
	}
	header := req.Header.Clone()
	protocols := header[wsstream.WebSocketProtocolHeader]
	delete(header, wsstream.WebSocketProtocolHeader) // the dialer sets it
	dialer := websocket.Dialer{
		Proxy:           rt.Proxier,
		TLSClientConfig: rt.TLSConfig,
		Subprotocols:    protocols,
		ReadBufferSize:  bufferSize + 1024,
		WriteBufferSize: bufferSize + 1024,
	}
	conn, resp, err := dialUntilDone(req.Context(), dialer, target.String(), header)
	if errors.Is(err, websocket.ErrBadHandshake) {
		return nil, upgradeFailure(refusal(err, resp))
	}
	if err != nil {
		return nil, transport.RedactError(err)
	}
	if !slices.Contains(protocols, conn.Subprotocol()) {
		_ = conn.Close() // the error says more
		return nil, upgradeFailure(fmt.Errorf("invalid protocol, expected one of %q, got %q", protocols, conn.Subprotocol()))
	}
	rt.mu.Lock()
	rt.Conn = conn
	rt.mu.Unlock()
	resp.Request = req.WithContext(context.WithValue(req.Context(), connKey{}, conn))
	return resp, nil
}

// dialUntilDone dials, and gives up when ctx ends, with its error. The dialer alone notices that only until the network
// connection exists, not while it waits for the server's response, and makes a deadline one of the connection, whose
// errors are others.
func dialUntilDone(ctx context.Context, dialer websocket.Dialer, target string, header http.Header) (*websocket.Conn, *http.Response, error) {
	within, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stops := []func() bool{context.AfterFunc(ctx, cancel)}
	dialer.NetDialContext = func(dialCtx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(dialCtx, network, address)
		if err == nil {
			stops = append(stops, context.AfterFunc(ctx, func() { _ = conn.Close() }))
		}
		return conn, err
	}
	conn, resp, err := dialer.DialContext(within, target, header)
	for _, stop := range stops {
		if stop() {
			continue
		}
		if conn != nil {
			_ = conn.Close() // it is closed
		}
		return nil, nil, context.Cause(ctx)
	}
	return conn, resp, err
}

// Negotiate sends req by rt, offering protocols in the order of preference, and returns the connection, which the
// caller must close. Its Subprotocol is the one that the server chose. req is modified. holder is the one that
// belongs to rt.
func Negotiate(rt http.RoundTripper, holder ConnectionHolder, req *http.Request, protocols ...string) (*websocket.Conn, error) {
	req.Header[wsstream.WebSocketProtocolHeader] = protocols
	resp, err := rt.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	conn := holder.Connection()
	if resp.Request != nil {
		if own, ok := resp.Request.Context().Value(connKey{}).(*websocket.Conn); ok {
			conn = own
		}
	}
	if conn == nil {
		return nil, errors.New("round tripper returned no websocket connection")
	}
	if err := resp.Body.Close(); err != nil {
		_ = conn.Close() // as above
		return nil, fmt.Errorf("error closing response body: %w", err)
	}
	return conn, nil
}
