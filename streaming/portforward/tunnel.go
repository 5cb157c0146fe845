package portforward

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/httpstream"
	constants "k8s.io/apimachinery/pkg/util/portforward"
	"k8s.io/klog/v2"
	streaming "k8s.io/streaming/pkg/httpstream"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/transport"
	"github.com/listwatch/listwatch/streaming/internal/httpstreams"
	"github.com/listwatch/listwatch/streaming/websocket"
)

// PingPeriod is how often a connection inside a WebSocket shows that it is alive.
const PingPeriod = 10 * time.Second

// tunnelDialer opens SPDY connections inside WebSockets.
type tunnelDialer struct {
	logger    klog.Logger
	url       func() string // a function, so that a printed dialer does not show the query
	transport http.RoundTripper
	holder    websocket.ConnectionHolder
}

func newTunnelDialer(logger klog.Logger, url *url.URL, config *rest.Config) (*tunnelDialer, error) {
	transport, holder, err := websocket.RoundTripperFor(config)
	if err != nil {
		return nil, err
	}
	return &tunnelDialer{logger, url.String, transport, holder}, nil
}

// dial returns the connection and the protocol that the server chose.
func (d *tunnelDialer) dial(ctx context.Context, protocols []string) (streaming.Connection, string, error) {
	req, err := http.NewRequestWithContext(klog.NewContext(ctx, d.logger), http.MethodGet, d.url(), nil)
	if err != nil {
		return nil, "", transport.RedactError(err)
	}
	tunnelled := make([]string, len(protocols))
	for i, protocol := range protocols {
		tunnelled[i] = constants.WebsocketsSPDYTunnelingPrefix + protocol
	}
	socket, err := websocket.Negotiate(d.transport, d.holder, req, tunnelled...)
	if err != nil {
		return nil, "", err
	}
	tunnel := NewTunnelingConnectionWithLogger(klog.LoggerWithName(d.logger, "client"), socket)
	conn, err := httpstreams.NewClient(tunnel, tunnel, PingPeriod)
	if err != nil {
		return nil, "", err
	}
	return conn, strings.TrimPrefix(socket.Subprotocol(), constants.WebsocketsSPDYTunnelingPrefix), nil
}

// NewSPDYOverWebsocketDialer returns a dialer that connects to url, of a pod's subresource portforward, with the
// settings of config. It is safe for concurrent use.
func NewSPDYOverWebsocketDialer(url *url.URL, config *rest.Config) (httpstream.Dialer, error) {
	return NewSPDYOverWebsocketDialerWithLogger(klog.Background(), url, config)
}

// NewSPDYOverWebsocketDialerWithLogger is [NewSPDYOverWebsocketDialer] with a logger.
func NewSPDYOverWebsocketDialerWithLogger(logger klog.Logger, url *url.URL, config *rest.Config) (httpstream.Dialer, error) {
	d, err := newTunnelDialer(logger, url, config)
	if err != nil {
		return nil, err
	}
	return apimachineryTunnel{d}, nil
}

// NewSPDYOverWebsocketDialerForStreaming is [NewSPDYOverWebsocketDialer] for the interfaces of k8s.io/streaming.
func NewSPDYOverWebsocketDialerForStreaming(url *url.URL, config *rest.Config) (streaming.Dialer, error) {
	return NewSPDYOverWebsocketDialerForStreamingWithLogger(klog.Background(), url, config)
}

// NewSPDYOverWebsocketDialerForStreamingWithLogger is [NewSPDYOverWebsocketDialerForStreaming] with a logger.
func NewSPDYOverWebsocketDialerForStreamingWithLogger(logger klog.Logger, url *url.URL, config *rest.Config) (streaming.Dialer, error) {
	d, err := newTunnelDialer(logger, url, config)
	if err != nil {
		return nil, err
	}
	return streamingTunnel{d}, nil
}

type streamingTunnel struct{ *tunnelDialer }

func (t streamingTunnel) Dial(protocols ...string) (streaming.Connection, string, error) {
	return t.dial(context.Background(), protocols)
}

func (t streamingTunnel) DialContext(ctx context.Context, protocols ...string) (streaming.Connection, string, error) {
	return t.dial(ctx, protocols)
}

type apimachineryTunnel struct{ *tunnelDialer }

func (t apimachineryTunnel) Dial(protocols ...string) (httpstream.Connection, string, error) {
	return t.DialContext(context.Background(), protocols...)
}

func (t apimachineryTunnel) DialContext(ctx context.Context, protocols ...string) (httpstream.Connection, string, error) {
	conn, protocol, err := t.dial(ctx, protocols)
	if err != nil {
		return nil, "", err
	}
	return httpstreams.FromStreaming(conn), protocol, nil
}
