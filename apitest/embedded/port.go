package embedded

import (
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/listwatch/listwatch/runtime/rest"
)

// port is the address of a server. It stays open while the server restarts, so that nobody else gets it:
// clients that connect meanwhile are served by the server's next life.
type port interface {
	// address is host:port, or a name.
	address() string
	// listen returns the listener of one life, whose end leaves the port open. There must be one at a time.
	listen() net.Listener
	close() error
	// reach makes a configuration open connections to the port.
	reach(config *rest.Config)
}

// newPort opens the port of a server.
func newPort(o *options) (port, error) {
	if o.memory {
		return newMemoryPort(), nil
	}
	return newTCPPort(o.address)
}

// tcpPort is a port of the network.
type tcpPort struct{ listener *net.TCPListener }

// newTCPPort listens at an address; the default is a free port of 127.0.0.1.
func newTCPPort(address string) (*tcpPort, error) {
	if address == "" {
		address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return &tcpPort{listener.(*net.TCPListener)}, nil
}

// address returns host:port by which clients on this machine reach the port: if it is open on all interfaces,
// 127.0.0.1.
func (p *tcpPort) address() string {
	address := p.listener.Addr().(*net.TCPAddr)
	if address.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(address.Port))
	}
	return address.String()
}

func (p *tcpPort) close() error { return p.listener.Close() }

// reach does nothing: clients dial by themselves.
func (p *tcpPort) reach(*rest.Config) {}

func (p *tcpPort) listen() net.Listener {
	_ = p.listener.SetDeadline(time.Time{}) // fails when the port is closed, as Accept does
	return &life{port: p}
}

// life is a listener that ends before its port is closed.
type life struct {
	port  *tcpPort
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
