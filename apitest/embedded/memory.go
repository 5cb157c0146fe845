package embedded

import (
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/listwatch/listwatch/runtime/rest"
)

// WithoutNetwork serves connections in memory, which only the configurations of the server open: they have a Transport,
// which they share, and which [Server.Stop] closes. There is no port, and no TLS, so that [Server.URL] is only a name;
// requests without a token have all permissions, as with [WithPlainHTTP]. The option is for tests in a bubble of
// package testing/synctest, which takes a goroutine that waits for the network for a busy one. Such a server, its
// clients and the call of [Server.Stop] belong in one bubble.
func WithoutNetwork() Option {
	return func(o *options) { o.plainHTTP, o.memory = true, true }
}

// memoryHost is the host of servers without a network, a name that no resolver knows.
const memoryHost = "apitest.invalid"

// memoryPort opens connections in memory.
type memoryPort struct {
	dialed    chan net.Conn
	once      sync.Once
	closed    chan struct{}
	transport *http.Transport // of all clients; one that a client made would be closed by the garbage collector, outside of the bubble
}

func newMemoryPort() *memoryPort {
	p := &memoryPort{dialed: make(chan net.Conn), closed: make(chan struct{})}
	p.transport = &http.Transport{DialContext: p.dial, MaxIdleConnsPerHost: 100, DisableCompression: true}
	return p
}

func (p *memoryPort) address() string { return memoryHost }

func (p *memoryPort) close() error {
	p.once.Do(func() { close(p.closed) })
	p.transport.CloseIdleConnections()
	return nil
}

// dial connects to the server.
func (p *memoryPort) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.dialed <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// reach makes a configuration open connections in memory.
func (p *memoryPort) reach(config *rest.Config) { config.Transport = p.transport }

func (p *memoryPort) listen() net.Listener {
	return &memoryLife{port: p, ended: make(chan struct{})}
}

// memoryLife is a listener that ends before its port is closed.
type memoryLife struct {
	port  *memoryPort
	once  sync.Once
	ended chan struct{}
}

// Accept implements net.Listener.
func (l *memoryLife) Accept() (net.Conn, error) {
	select {
	case conn := <-l.port.dialed:
		return conn, nil
	case <-l.ended:
		return nil, net.ErrClosed
	}
}

// Addr implements net.Listener.
func (l *memoryLife) Addr() net.Addr { return &net.UnixAddr{Name: memoryHost, Net: "memory"} }

// Close implements net.Listener. Closing it again does nothing.
func (l *memoryLife) Close() error {
	l.once.Do(func() { close(l.ended) })
	return nil
}
