package fault

import (
	"net"
	"sync"
	"sync/atomic"
)

// Listen places the injector between a listener and its server. When the listener is closed, its
// connections no longer freeze, so that the server can end them.
func (i *Injector) Listen(l net.Listener) net.Listener {
	return &listener{Listener: l, injector: i, closed: make(chan struct{})}
}

type listener struct {
	net.Listener
	injector *Injector
	once     sync.Once
	closed   chan struct{}
}

// Close also wakes goroutines that wait for a thaw.
func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// Accept returns connections that can be cut and frozen.
func (l *listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: accepted, injector: l.injector, ended: l.closed, closed: make(chan struct{})}
	l.injector.mu.Lock()
	defer l.injector.mu.Unlock()
	l.injector.conns[c] = struct{}{}
	return c, nil
}

// conn is a server's end of a connection.
type conn struct {
	net.Conn
	injector *Injector
	ended    <-chan struct{} // closed with the listener
	half     atomic.Bool     // whether the stream to the client has ended
	close    sync.Once
	closed   chan struct{}
}

// Read delays data that arrive while the server is frozen.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.pass()
	return n, err
}

// Write sends nothing while the server is frozen. After CloseWrite, it succeeds and sends nothing: a server closes a
// connection to which it cannot write, for example the response to a ping of HTTP/2, and would not wait for its client.
func (c *conn) Write(b []byte) (int, error) {
	if !c.pass() {
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Write(b)
	if err != nil && c.half.Load() {
		return len(b), nil
	}
	return n, err
}

// CloseWrite ends the stream to the client, if the connection can do that.
func (c *conn) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return nil
	}
	c.half.Store(true)
	return half.CloseWrite()
}

// Close also wakes goroutines that wait for a thaw.
func (c *conn) Close() error {
	c.close.Do(func() {
		close(c.closed)
		c.injector.mu.Lock()
		defer c.injector.mu.Unlock()
		delete(c.injector.conns, c)
	})
	return c.Conn.Close()
}

// pass waits while the server is frozen and listening. It returns false if the connection is closed
// before that ends.
func (c *conn) pass() bool {
	for thaw := c.injector.frozen.Load(); thaw != nil; thaw = c.injector.frozen.Load() {
		select {
		case <-*thaw:
		case <-c.ended:
			return true
		case <-c.closed:
			return false
		}
	}
	return true
}

// CutConnections resets all connections, and returns their number. Clients see a reset, whatever
// they are doing.
func (i *Injector) CutConnections() int {
	i.mu.Lock()
	conns := make([]*conn, 0, len(i.conns))
	for c := range i.conns {
		conns = append(conns, c)
	}
	i.mu.Unlock()
	for _, c := range conns {
		if tcp, ok := c.Conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // the connection may have ended already
		}
		_ = c.Close()
	}
	return len(conns)
}

// Freeze stops the server from reading and writing, until Thaw. Freezing a frozen server does
// nothing.
func (i *Injector) Freeze() {
	thaw := make(chan struct{})
	i.frozen.CompareAndSwap(nil, &thaw)
}

// Thaw lets a frozen server continue.
func (i *Injector) Thaw() {
	if thaw := i.frozen.Swap(nil); thaw != nil {
		close(*thaw)
	}
}
