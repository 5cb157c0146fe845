// Package idle has a listener for tests without a network.
package idle

import (
	"net"
	"sync"
)

// Listener is a listener to which nobody connects. Its methods are safe for concurrent use.
type Listener struct {
	once   sync.Once
	closed chan struct{}
}

// NewListener returns a listener. In a bubble of testing/synctest, it belongs to the bubble.
func NewListener() *Listener { return &Listener{closed: make(chan struct{})} }

// Accept waits for Close, and returns net.ErrClosed.
func (l *Listener) Accept() (net.Conn, error) {
	<-l.closed
	return nil, net.ErrClosed
}

// Addr returns an address that nobody can connect to.
func (l *Listener) Addr() net.Addr { return &net.UnixAddr{Name: "idle"} }

// Close ends Accept. It may be called more than once.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}
