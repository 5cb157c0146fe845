package spdy

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/httpstream"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/streaming/pkg/httpstream/spdy"

	"github.com/listwatch/listwatch/streaming/internal/httpstreams"
)

const (
	// pingPeriod is how often an idle connection shows that it is alive.
	pingPeriod = 5 * time.Second
	// errorLimit is the number of bytes that are read of an error response.
	errorLimit = 64 << 10
)

// roundTripper sends upgrade requests, each on its own connection. A response to a successful one carries the
// connection in the context of its request, where wrapping a body or a transport does not lose it.
type roundTripper struct {
	dialer *spdy.SpdyRoundTripper
	tls    *tls.Config
	proxy  func(*http.Request) (*url.URL, error)
}

type connKey struct{}

// upgraded is a connection after the response was read; r contains what the server sent behind it.
type upgraded struct {
	conn net.Conn
	r    *bufio.Reader
}

func newRoundTripper(tlsConfig *tls.Config, proxy func(*http.Request) (*url.URL, error)) (*roundTripper, error) {
	if proxy == nil {
		proxy = utilnet.NewProxierWithNoProxyCIDR(http.ProxyFromEnvironment)
	}
	dialer, err := spdy.NewRoundTripperWithConfig(spdy.RoundTripperConfig{TLS: tlsConfig, Proxier: proxy})
	if err != nil {
		return nil, err
	}
	return &roundTripper{dialer, tlsConfig, proxy}, nil
}

// TLSClientConfig returns the TLS settings of connections; the caller must not modify them.
func (rt *roundTripper) TLSClientConfig() *tls.Config { return rt.tls }

// RoundTrip sends a copy of req as an upgrade request. The connection is closed unless the upgrade succeeds.
func (rt *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer func() { _ = req.Body.Close() }() // an upgrade request has no content to fail
	}
	ctx := req.Context()
	req = req.Clone(ctx)
	req.Header.Set(httpstream.HeaderConnection, httpstream.HeaderUpgrade)
	req.Header.Set(httpstream.HeaderUpgrade, spdy.HeaderSpdy31)
	conn, err := rt.dialUntilDone(req)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	resp, r, err := readResponse(conn, req)
	if !stop() {
		return nil, context.Cause(ctx)
	}
	if err != nil || !upgrades(resp) {
		_ = conn.Close() // the response or error says more
		return resp, err
	}
	resp.Request = req.WithContext(context.WithValue(ctx, connKey{}, upgraded{conn, r}))
	return resp, nil
}

// readResponse reads a response. Its body is read too, up to a limit, unless the upgrade succeeded.
func readResponse(conn net.Conn, req *http.Request) (*http.Response, *bufio.Reader, error) {
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, req)
	if err != nil {
		return nil, nil, err
	}
	if upgrades(resp) {
		resp.Body = http.NoBody
		return resp, r, nil
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, errorLimit))
	if err != nil && len(body) == 0 {
		return nil, nil, fmt.Errorf("unable to read the server's response (%s): %w", resp.Status, err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, r, nil
}

// upgrades reports whether the server switches to SPDY.
func upgrades(resp *http.Response) bool {
	return resp.StatusCode == http.StatusSwitchingProtocols &&
		strings.Contains(strings.ToLower(resp.Header.Get(httpstream.HeaderConnection)), strings.ToLower(httpstream.HeaderUpgrade)) &&
		strings.Contains(strings.ToLower(resp.Header.Get(httpstream.HeaderUpgrade)), strings.ToLower(spdy.HeaderSpdy31))
}

// NewConnection returns the connection of a successful upgrade. Any other response is an error, which wraps the
// server's Status, if the response contains one.
func (rt *roundTripper) NewConnection(resp *http.Response) (httpstream.Connection, error) {
	if !upgrades(resp) {
		return nil, refusal(resp)
	}
	if resp.Request == nil {
		return nil, errors.New("unable to upgrade connection: response does not contain its request")
	}
	carried, ok := resp.Request.Context().Value(connKey{}).(upgraded)
	if !ok {
		return nil, errors.New("unable to upgrade connection: response is not one of this round tripper")
	}
	conn, err := httpstreams.NewClient(carried.conn, carried.r, pingPeriod)
	if err != nil {
		return nil, err
	}
	return httpstreams.FromStreaming(conn), nil
}

// refusal returns the error of a response without upgrade.
func refusal(resp *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(resp.Body, errorLimit))
	if err != nil {
		return fmt.Errorf("unable to upgrade connection: unable to read error from server response: %w", err)
	}
	var status metav1.Status
	if json.Unmarshal(body, &status) == nil && status.Kind == "Status" && status.Status != metav1.StatusSuccess {
		return fmt.Errorf("unable to upgrade connection: %w", &apierrors.StatusError{ErrStatus: status})
	}
	message := strings.TrimSpace(string(body))
	if message == "" {
		message = "empty server response (" + resp.Status + ")"
	}
	return fmt.Errorf("unable to upgrade connection: %s", message)
}
