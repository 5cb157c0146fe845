// Package connrotation closes connections when their credentials are no longer in use: an open connection
// cannot authenticate again.
package connrotation

import (
	"context"
	"net"
	"sync"
	"time"
)

// DialFunc opens a connection, as net.Dialer's DialContext.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Tracker tracks open connections. The zero Tracker is ready for use. It is safe for concurrent use.
type Tracker struct {
	mu    sync.Mutex // guards conns
	conns map[*conn]struct{}
}

// Dial returns a function that opens connections with dial, which t tracks until they are closed.
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
	tracked := &conn{Conn: c, tracker: t, released: make(chan struct{})}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.conns == nil {
		t.conns = map[*conn]struct{}{}
	}
	t.conns[tracked] = struct{}{}
	return tracked
}

// patience is how long CloseAll waits for users of connections. Users that take longer are waiting for the
// caller of CloseAll themselves.
const patience = time.Second

// CloseAll closes the open connections, and waits until their users have noticed and released them, so that
// they send nothing more on them; at most a second. Connections that are being opened meanwhile stay open. The
// caller must not hold a lock that users of a connection may need.
func (t *Tracker) CloseAll() {
	t.mu.Lock()
	conns := t.conns
	t.conns = nil
	t.mu.Unlock()
	for c := range conns {
		_ = c.Conn.Close()
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for c := range conns {
		select {
		case <-c.released:
		case <-timer.C:
			return
		}
	}
}

// conn is a tracked connection.
type conn struct {
	net.Conn
	tracker  *Tracker
	once     sync.Once
	released chan struct{} // closed by Close
}

func (c *conn) Close() error {
	c.once.Do(func() { close(c.released) })
	c.tracker.mu.Lock()
	delete(c.tracker.conns, c)
	c.tracker.mu.Unlock()
	return c.Conn.Close()
}
