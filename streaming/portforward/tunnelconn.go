package portforward

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"k8s.io/klog/v2"
)

// TunnelingConnection is a [net.Conn] whose bytes are sent in the messages of a WebSocket. As with other
// connections, one goroutine may read while another one writes, and Close and the deadlines may be called at any
// time; but only one goroutine may read at a time.
type TunnelingConnection struct {
	logger  klog.Logger
	conn    *websocket.Conn
	message io.Reader // the rest of the message that is being read, or nil

	writing sync.Mutex // is held to write a message

	mu            sync.Mutex // guards writeDeadline
	writeDeadline time.Time

	closing sync.Once
	closed  error
}

// NewTunnelingConnection returns a connection inside conn, and becomes its owner. name is added to the connection's
// messages in logs.
func NewTunnelingConnection(name string, conn *websocket.Conn) *TunnelingConnection {
	return NewTunnelingConnectionWithLogger(klog.LoggerWithName(klog.Background(), name), conn)
}

// NewTunnelingConnectionWithLogger is [NewTunnelingConnection] with a logger.
func NewTunnelingConnectionWithLogger(logger klog.Logger, conn *websocket.Conn) *TunnelingConnection {
	return &TunnelingConnection{logger: logger, conn: conn}
}

// Read reads from the current message, or waits for the next one. It returns io.EOF if the other end has closed the
// connection normally.
func (c *TunnelingConnection) Read(p []byte) (int, error) {
	for {
		if c.message == nil {
			kind, r, err := c.conn.NextReader()
			if closed := (&websocket.CloseError{}); errors.As(err, &closed) && closed.Code == websocket.CloseNormalClosure {
				return 0, io.EOF
			}
			if err != nil {
				c.logger.V(4).Info("Failed to read the next message", "err", err)
				return 0, err
			}
			if kind != websocket.BinaryMessage {
				return 0, errors.New("invalid message type received")
			}
			c.message = r
		}
		n, err := c.message.Read(p)
		if err == io.EOF {
			c.message, err = nil, nil
		}
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
}

// Write sends p as a message.
func (c *TunnelingConnection) Write(p []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.mu.Lock()
	deadline := c.writeDeadline
	c.mu.Unlock()
	if err := c.conn.SetWriteDeadline(deadline); err != nil {
		return 0, err
	}
	if err := c.conn.WriteMessage(websocket.BinaryMessage, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close tells the other end that the connection is closed, waiting for a second at most, and closes it. Later calls
// return the result of the first.
func (c *TunnelingConnection) Close() error {
	c.closing.Do(func() {
		goodbye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
		_ = c.conn.WriteControl(websocket.CloseMessage, goodbye, time.Now().Add(time.Second)) // it may be gone
		c.closed = c.conn.Close()
	})
	return c.closed
}

// LocalAddr returns the local address of the network connection.
func (c *TunnelingConnection) LocalAddr() net.Addr { return c.conn.LocalAddr() }

// RemoteAddr returns the remote address of the network connection.
func (c *TunnelingConnection) RemoteAddr() net.Addr { return c.conn.RemoteAddr() }

// SetDeadline sets the deadlines of reads and writes.
func (c *TunnelingConnection) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// SetReadDeadline sets the deadline of reads. After one has timed out, all fail.
func (c *TunnelingConnection) SetReadDeadline(t time.Time) error { return c.conn.SetReadDeadline(t) }

// SetWriteDeadline sets the deadline of messages whose writing begins after the call.
func (c *TunnelingConnection) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writeDeadline = t
	return nil
}
