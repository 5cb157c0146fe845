// Package connrotation closes all connections that a dialer opened, for example when credentials change and a
// connection cannot authenticate again.
package connrotation

import (
	"context"
	"net"
	"sync"
)

// DialFunc is the type of [net.Dialer.DialContext].
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// ConnectionTracker knows which connections are open. It is safe for concurrent use.
type ConnectionTracker struct {
	mu    sync.Mutex // guards conns
	conns map[*trackedConn]struct{}
}

// NewConnectionTracker returns a tracker without connections.
func NewConnectionTracker() *ConnectionTracker {
	return &ConnectionTracker{conns: map[*trackedConn]struct{}{}}
}

// CloseAll closes all connections that are tracked when it is called. Their errors are ignored.
func (c *ConnectionTracker) CloseAll() {
	c.mu.Lock()
	conns := c.conns
	c.conns = map[*trackedConn]struct{}{}
	c.mu.Unlock()
	for conn := range conns {
		_ = conn.Conn.Close() // it may be closed already
	}
}

// Track returns a connection like conn, which is tracked until it is closed.
func (c *ConnectionTracker) Track(conn net.Conn) net.Conn {
	tracked := &trackedConn{conn, c}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conns[tracked] = struct{}{}
	return tracked
}

// trackedConn is a connection that tells its tracker when it is closed.
type trackedConn struct {
	net.Conn
	tracker *ConnectionTracker
}

// Close closes the connection. It is not tracked any more, also if that fails.
func (c *trackedConn) Close() error {
	c.tracker.mu.Lock()
	delete(c.tracker.conns, c)
	c.tracker.mu.Unlock()
	return c.Conn.Close()
}

// Dialer opens connections and tracks them.
type Dialer struct {
	dial DialFunc
	*ConnectionTracker
}

// NewDialer is [NewDialerWithTracker] with a new tracker.
func NewDialer(dial DialFunc) *Dialer { return NewDialerWithTracker(dial, nil) }

// NewDialerWithTracker returns a dialer that opens connections with dial, nil for [net.Dialer.DialContext], and tracks
// them with tracker, nil for a new one.
func NewDialerWithTracker(dial DialFunc, tracker *ConnectionTracker) *Dialer {
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	if tracker == nil {
		tracker = NewConnectionTracker()
	}
	return &Dialer{dial, tracker}
}

// Dial is [Dialer.DialContext] without a context.
func (d *Dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

// DialContext opens a connection and tracks it.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := d.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return d.Track(conn), nil
}
