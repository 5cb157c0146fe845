package spdy

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"k8s.io/apimachinery/pkg/util/httpstream"
	streaming "k8s.io/streaming/pkg/httpstream"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/transport"
	"github.com/listwatch/listwatch/streaming/internal/httpstreams"
)

// Upgrader turns the responses of an upgrading round tripper into connections.
type Upgrader interface {
	// NewConnection returns the connection of a successful upgrade, which the caller must close, and an error for
	// any other response.
	NewConnection(resp *http.Response) (httpstream.Connection, error)
}

// RoundTripperFor returns a round tripper that sends upgrade requests with the settings of config, and the
// Upgrader for its responses. Both are safe for concurrent use.
func RoundTripperFor(config *rest.Config) (http.RoundTripper, Upgrader, error) {
	tlsConfig, err := rest.TLSConfigFor(config)
	if err != nil {
		return nil, nil, err
	}
	upgrading, err := newRoundTripper(tlsConfig, config.Proxy)
	if err != nil {
		return nil, nil, err
	}
	wrapped, err := rest.HTTPWrappersForConfig(config, upgrading)
	if err != nil {
		return nil, nil, err
	}
	return wrapped, upgrading, nil
}

// dialer is an [httpstream.Dialer] that sends requests to a URL.
type dialer struct {
	upgrader Upgrader
	client   *http.Client
	method   string
	url      func() string // a function, so that a printed dialer does not show the query
}

// NewDialer returns a dialer that sends upgrade requests to url, usually POST requests to a subresource of a pod.
// It also has a method DialContext, which package portforward uses to stop while it connects.
func NewDialer(upgrader Upgrader, client *http.Client, method string, url *url.URL) httpstream.Dialer {
	return &dialer{upgrader, client, method, url.String}
}

// Dial connects to the server and returns the connection and the protocol that the server chose.
func (d *dialer) Dial(protocols ...string) (httpstream.Connection, string, error) {
	return d.DialContext(context.Background(), protocols...)
}

// DialContext is Dial until ctx ends.
func (d *dialer) DialContext(ctx context.Context, protocols ...string) (httpstream.Connection, string, error) {
	req, err := http.NewRequestWithContext(ctx, d.method, d.url(), nil)
	if err != nil {
		return nil, "", fmt.Errorf("error creating request: %w", transport.RedactError(err))
	}
	return Negotiate(d.upgrader, d.client, req, protocols...)
}

// streamingDialer is a [dialer] for k8s.io/streaming.
type streamingDialer struct{ *dialer }

// NewDialerForStreaming is [NewDialer] for the interfaces of k8s.io/streaming.
func NewDialerForStreaming(upgrader Upgrader, client *http.Client, method string, url *url.URL) streaming.Dialer {
	return streamingDialer{&dialer{upgrader, client, method, url.String}}
}

func (d streamingDialer) Dial(protocols ...string) (streaming.Connection, string, error) {
	return d.DialContext(context.Background(), protocols...)
}

func (d streamingDialer) DialContext(ctx context.Context, protocols ...string) (streaming.Connection, string, error) {
	conn, protocol, err := d.dialer.DialContext(ctx, protocols...)
	if err != nil {
		return nil, "", err
	}
	return httpstreams.ToStreaming(conn), protocol, nil
}

// NewUpgraderForStreaming returns the Upgrader of a round tripper of k8s.io/streaming.
func NewUpgraderForStreaming(upgrader streaming.UpgradeRoundTripper) Upgrader {
	return streamingUpgrader{upgrader}
}

type streamingUpgrader struct{ streaming.UpgradeRoundTripper }

func (u streamingUpgrader) NewConnection(resp *http.Response) (httpstream.Connection, error) {
	conn, err := u.UpgradeRoundTripper.NewConnection(resp)
	if err != nil {
		return nil, err
	}
	return httpstreams.FromStreaming(conn), nil
}

// Negotiate sends req by client, offering protocols in the order of preference, and returns the connection and the
// protocol that the server chose, which is empty if it did not choose any. req is modified. The request's context
// ends only the upgrade, not the connection, which the caller must close.
func Negotiate(upgrader Upgrader, client *http.Client, req *http.Request, protocols ...string) (httpstream.Connection, string, error) {
	for _, protocol := range protocols {
		req.Header.Add(httpstream.HeaderProtocolVersion, protocol)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, "", fmt.Errorf("error sending request: %w", transport.RedactError(err))
	}
	conn, err := upgrader.NewConnection(resp)
	if closeErr := resp.Body.Close(); err == nil && closeErr != nil {
		err = errors.Join(closeErr, conn.Close())
	}
	if err != nil {
		return nil, "", err
	}
	return conn, resp.Header.Get(httpstream.HeaderProtocolVersion), nil
}

// NegotiateStreaming is [Negotiate] for the interfaces of k8s.io/streaming.
func NegotiateStreaming(upgrader Upgrader, client *http.Client, req *http.Request, protocols ...string) (streaming.Connection, string, error) {
	conn, protocol, err := Negotiate(upgrader, client, req, protocols...)
	if err != nil {
		return nil, "", err
	}
	return httpstreams.ToStreaming(conn), protocol, nil
}
