package control

import (
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// conn is a connection over two pipes. Deadlines have no effect.
type conn struct {
	io.ReadCloser
	w io.WriteCloser
}

// NewConn returns a connection over two pipes, which it closes.
func NewConn(r io.ReadCloser, w io.WriteCloser) net.Conn { return &conn{r, w} }

// Write implements net.Conn.
func (c *conn) Write(b []byte) (int, error) { return c.w.Write(b) }

// Close implements net.Conn.
func (c *conn) Close() error { return errors.Join(c.w.Close(), c.ReadCloser.Close()) }

// LocalAddr and RemoteAddr implement net.Conn.
func (c *conn) LocalAddr() net.Addr { return address{} }

// RemoteAddr implements net.Conn.
func (c *conn) RemoteAddr() net.Addr { return address{} }

// SetDeadline implements net.Conn.
func (c *conn) SetDeadline(time.Time) error { return os.ErrNoDeadline }

// SetReadDeadline implements net.Conn.
func (c *conn) SetReadDeadline(time.Time) error { return os.ErrNoDeadline }

// SetWriteDeadline implements net.Conn.
func (c *conn) SetWriteDeadline(time.Time) error { return os.ErrNoDeadline }

// address is the address of a pipe.
type address struct{}

// Network implements net.Addr.
func (address) Network() string { return "pipe" }

// String implements net.Addr.
func (address) String() string { return "pipe" }
