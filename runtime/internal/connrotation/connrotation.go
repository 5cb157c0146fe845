// Package connrotation closes connections when the credentials that they were opened with
// are no longer in use: a connection that is open cannot be authenticated anew.
package connrotation

import (
	"context"
	"net"
	"sync"
	"time"
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
	tracked := &conn{Conn: c, tracker: t, released: make(chan struct{})}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.conns == nil {
		t.conns = map[*conn]struct{}{}
	}
	t.conns[tracked] = struct{}{}
	return tracked
}

// patience is how long CloseAll waits for those who use connections. What makes them take
// longer than a moment is that they wait for the caller of CloseAll themselves.
const patience = time.Second

// CloseAll closes the connections that are open, and waits until those who use them have seen
// it and released them, so that they send nothing more on them; but no longer than a
// second. Connections that are being opened meanwhile stay. No lock should be held that
// may be needed in the use of a connection.
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

// conn is an open connection that its tracker knows.
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
