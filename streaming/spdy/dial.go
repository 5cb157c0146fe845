package spdy

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
)

// dialUntilDone is dial that ends with the request's context, with its error: a deadline that is one of the connection
// would have others.
func (rt *roundTripper) dialUntilDone(req *http.Request) (net.Conn, error) {
	ctx := req.Context()
	within, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, cancel)
	conn, err := rt.dial(req.WithContext(within))
	if stop() {
		return conn, err
	}
	if err == nil {
		_ = conn.Close() // it is late
	}
	return nil, context.Cause(ctx)
}

// dial connects to the server of req, and sends the request. Through an HTTP proxy, it connects by itself:
// k8s.io/streaming would wait for the proxy's response longer than the request's context lasts.
func (rt *roundTripper) dial(req *http.Request) (net.Conn, error) {
	proxy, err := rt.proxy(req)
	if err != nil {
		return nil, err
	}
	if proxy == nil || proxy.Scheme != "" && proxy.Scheme != "http" && proxy.Scheme != "https" {
		return rt.dialer.Dial(req)
	}
	conn, err := rt.dialAddress(req.Context(), proxy)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(req.Context(), func() { _ = conn.Close() })
	defer stop()
	through, err := rt.through(req, conn, proxy)
	if err == nil {
		err = req.Write(through)
	}
	if err == nil {
		return through, nil
	}
	_ = conn.Close() // the error says more
	if req.Context().Err() != nil {
		err = context.Cause(req.Context())
	}
	return nil, err
}

// through returns the connection to the server of req through a proxy to which conn is connected.
func (rt *roundTripper) through(req *http.Request, conn net.Conn, proxy *url.URL) (net.Conn, error) {
	address := addressOf(req.URL)
	connect := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if proxy.User != nil {
		password, _ := proxy.User.Password()
		credentials := base64.StdEncoding.EncodeToString([]byte(proxy.User.Username() + ":" + password))
		connect.Header.Set("Proxy-Authorization", "Basic "+credentials)
	}
	if err := connect.Write(conn); err != nil {
		return nil, err
	}
	// Nothing is buffered behind the response: servers of TLS and of SPDY wait for the client.
	resp, err := http.ReadResponse(bufio.NewReader(conn), connect)
	if err != nil {
		return nil, err
	}
	_ = resp.Body.Close() // a response without success is not read
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, fmt.Errorf("CONNECT request to %s returned response: %s", proxy.Redacted(), resp.Status)
	}
	if req.URL.Scheme != "https" {
		return conn, nil
	}
	config := rt.tls.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	if config.ServerName == "" {
		config.ServerName = req.URL.Hostname()
	}
	secured := tls.Client(conn, config)
	if err := secured.HandshakeContext(req.Context()); err != nil {
		return nil, err
	}
	return secured, nil
}

// dialAddress connects to the host of u, with TLS unless its scheme is http.
func (rt *roundTripper) dialAddress(ctx context.Context, u *url.URL) (net.Conn, error) {
	if u.Scheme == "http" {
		return (&net.Dialer{}).DialContext(ctx, "tcp", addressOf(u))
	}
	return (&tls.Dialer{Config: rt.tls}).DialContext(ctx, "tcp", addressOf(u))
}

// addressOf returns the host and the port of u, which by default is that of its scheme.
func addressOf(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "http":
		port = "80"
	default:
		port = "443"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
