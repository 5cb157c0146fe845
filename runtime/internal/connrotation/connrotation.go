// Package connrotation closes connections when the credentials that they were opened with
// are no longer in use: a connection that is open cannot be authenticated anew.
package connrotation

import (
	"context"
	"net"
	"sync"
)

// DialFunc opens a connection, as net.Dialer's DialContext.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Tracker knows the connections that are open. The zero Tracker is ready for use, by several
// goroutines at once.
type Tracker struct {
	mu    sync.Mutex // guards conns
	conns map[*conn]struct{}
}

// Dial returns a function that opens connections by dial, which t knows until they are closed.
func (t *Tracker) Dial(dial DialFunc) DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return t.track(c), nil
	}
}

func (t *Tracker) track(c net.Conn) net.Conn {
	tracked := &conn{Conn: c, tracker: t}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.conns == nil {
		t.conns = map[*conn]struct{}{}
	}
	t.conns[tracked] = struct{}{}
	return tracked
}

// CloseAll closes the connections that are open. Those that are being opened meanwhile stay.
func (t *Tracker) CloseAll() {
	t.mu.Lock()
	conns := t.conns
	t.conns = nil
	t.mu.Unlock()
	for c := range conns {
		_ = c.Conn.Close()
	}
}

// conn is an open connection that its tracker knows.
type conn struct {
	net.Conn
	tracker *Tracker
}

func (c *conn) Close() error {
	c.tracker.mu.Lock()
	delete(c.tracker.conns, c)
	c.tracker.mu.Unlock()
	return c.Conn.Close()
}
