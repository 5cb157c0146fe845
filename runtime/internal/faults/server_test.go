package faults_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/rest"
)

// seen is a request as a server received it.
type seen struct {
	method, uri string
	header      http.Header
	after       time.Duration // since the server started
}

// server is an HTTP server in memory that records its requests.
type server struct {
	http     *http.Server
	listener *listener
	done     chan struct{} // closed when the server has stopped
	begin    time.Time
	conns    atomic.Int64 // number of opened connections

	mu       sync.Mutex // guards the fields below
	requests []seen
}

// serve runs a server in memory until the test ends.
func serve(t testing.TB, handler http.HandlerFunc) *server {
	t.Helper()
	s := &server{
		listener: &listener{conns: make(chan net.Conn), closed: make(chan struct{})},
		done:     make(chan struct{}),
		begin:    time.Now(),
	}
	s.http = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n := s.saw(r)
			handler(w, r.WithContext(context.WithValue(r.Context(), attemptKey{}, n)))
		}),
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(s.listener) // it always returns an error: that it was closed
	}()
	t.Cleanup(func() {
		_ = s.http.Close()
		<-s.done
	})
	return s
}

// saw records a request and returns the number of requests so far.
func (s *server) saw(r *http.Request) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, seen{r.Method, r.RequestURI, r.Header.Clone(), time.Since(s.begin)})
	return len(s.requests)
}

type attemptKey struct{}

// attempt returns the position of a request among those that its server received, from 1.
func attempt(r *http.Request) int { return r.Context().Value(attemptKey{}).(int) }

func (s *server) seen() []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]seen(nil), s.requests...)
}

// config returns a config for clients of the server.
func (s *server) config() *rest.Config {
	return &rest.Config{
		Host: "http://server.test",
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			s.conns.Add(1)
			return s.listener.dial(ctx)
		},
		Proxy: noProxy,
	}
}

// noProxy ignores the proxies in the environment.
func noProxy(*http.Request) (*url.URL, error) { return nil, nil }

// clients returns the clients for a config, which are closed when the test ends.
func clients(t testing.TB, config *rest.Config) *versioned.Clientset {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(httpClient.Transport) })
	c, err := versioned.NewForConfigAndClient(config, httpClient)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// listener accepts connections in memory.
type listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
	wrap   func(net.Conn) net.Conn // wraps the server's ends; nil for none
}

func (l *listener) dial(ctx context.Context) (net.Conn, error) {
	client, server := net.Pipe()
	if l.wrap != nil {
		server = l.wrap(server)
	}
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, errors.New("the server has ended")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements net.Listener.
func (l *listener) Addr() net.Addr { return &net.UnixAddr{Name: "memory"} }
