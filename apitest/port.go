package apitest

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// port is the address of a server. It stays open while the server restarts, so that nobody else gets it:
// clients that connect meanwhile are served by the server's next life.
type port struct{ listener *net.TCPListener }

// newPort listens at an address; the default is a free port of 127.0.0.1.
func newPort(address string) (*port, error) {
	if address == "" {
		address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return &port{listener.(*net.TCPListener)}, nil
}

func (p *port) address() string { return p.listener.Addr().String() }

func (p *port) close() error { return p.listener.Close() }

// listen returns the listener of one life, whose end leaves the port open. There must be one at a time.
func (p *port) listen() net.Listener {
	_ = p.listener.SetDeadline(time.Time{}) // fails when the port is closed, as Accept does
	return &life{port: p}
}

// life is a listener that ends before its port is closed.
type life struct {
	port  *port
	once  sync.Once
	ended atomic.Bool
}

// Accept implements net.Listener.
func (l *life) Accept() (net.Conn, error) {
	conn, err := l.port.listener.Accept()
	if err != nil && l.ended.Load() {
		return nil, net.ErrClosed
	}
	return conn, err
}

// Addr implements net.Listener.
func (l *life) Addr() net.Addr { return l.port.listener.Addr() }

// Close implements net.Listener. Closing it again does nothing.
func (l *life) Close() (err error) {
	l.once.Do(func() {
		l.ended.Store(true)
		err = l.port.listener.SetDeadline(time.Unix(1, 0))
	})
	return err
}
