package faults_test

import (
	"io"
	"net"
	"sync"
)

// buffered is a connection whose writes do not wait for the other side to read, as with sockets.
type buffered struct {
	net.Conn
	mu     sync.RWMutex // guards closed, and is held while sending to or closing writes
	writes chan []byte
	closed bool
}

func newBuffered(c net.Conn) *buffered {
	b := &buffered{Conn: c, writes: make(chan []byte, 100)}
	go func() {
		for data := range b.writes {
			// The reader also sees an error.
			_, _ = c.Write(data)
		}
		_ = c.Close()
	}()
	return b
}

func (b *buffered) Write(p []byte) (int, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.closed {
		return 0, io.ErrClosedPipe
	}
	b.writes <- append([]byte(nil), p...)
	return len(p), nil
}

// Close closes the connection after everything is written.
func (b *buffered) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.closed = true
		close(b.writes)
	}
	return nil
}
