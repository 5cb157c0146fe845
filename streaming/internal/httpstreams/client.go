package httpstreams

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/moby/spdystream"
	"k8s.io/klog/v2"
	streaming "k8s.io/streaming/pkg/httpstream"
)

const (
	// farewell is how long closing a connection waits for a server that does not read.
	farewell = time.Second
	// replyTimeout is how long a server may take to accept a stream, and replyPoll how long it takes to notice
	// that the connection is closed meanwhile, of which spdystream does not tell.
	replyTimeout = 30 * time.Second
	replyPoll    = 50 * time.Millisecond
)

// NewClient returns the client's side of a SPDY connection over conn, from which the next bytes are read by r. It
// sends a ping every pingPeriod. Closing it closes conn, and does not wait for a server that does not answer.
func NewClient(conn net.Conn, r io.Reader, pingPeriod time.Duration) (streaming.Connection, error) {
	wire := &wire{Conn: conn, r: r}
	inner, err := spdystream.NewConnection(wire, false)
	if err != nil {
		return nil, errors.Join(err, wire.Close())
	}
	c := &client{Connection: inner, wire: wire, streams: map[uint32]streaming.Stream{}}
	go inner.Serve(func(stream *spdystream.Stream) { _ = stream.Reset() }) // servers have no reason for streams
	go c.ping(pingPeriod)
	return c, nil
}

type client struct {
	*spdystream.Connection
	wire *wire

	mu      sync.Mutex // guards streams
	streams map[uint32]streaming.Stream
}

func (c *client) CreateStream(headers http.Header) (streaming.Stream, error) {
	stream, err := c.Connection.CreateStream(headers, nil, false)
	if err != nil {
		if stream != nil {
			_ = stream.Reset() // otherwise, spdystream waits for its end when the connection is closed
		}
		return nil, err
	}
	c.mu.Lock()
	c.streams[stream.Identifier()] = stream
	c.mu.Unlock()
	if err := c.waitForReply(stream); err != nil {
		c.RemoveStreams(stream)
		_ = stream.Reset() // the error says more
		return nil, fmt.Errorf("stream was not accepted: %w", err)
	}
	return stream, nil
}

func (c *client) waitForReply(stream *spdystream.Stream) error {
	for until := time.Now().Add(replyTimeout); ; {
		err := stream.WaitTimeout(replyPoll)
		if !errors.Is(err, spdystream.ErrTimeout) || time.Now().After(until) {
			return err
		}
		select {
		case <-c.CloseChan():
			return net.ErrClosed
		default:
		}
	}
}

func (c *client) RemoveStreams(streams ...streaming.Stream) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, stream := range streams {
		if stream != nil {
			delete(c.streams, stream.Identifier())
		}
	}
}

// Lost returns the error with which the connection broke off, nil while it is open or after the server has said
// goodbye. The streams of a lost connection end like those that the server has closed.
func (c *client) Lost() error {
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	return c.wire.lost
}

// Close tells the server that all streams are reset, and closes the connection.
func (c *client) Close() error {
	late := time.AfterFunc(farewell, func() { _ = c.wire.Close() })
	defer late.Stop()
	c.mu.Lock()
	streams := c.streams
	c.streams = map[uint32]streaming.Stream{}
	c.mu.Unlock()
	for _, stream := range streams {
		_ = stream.Reset() // if it fails, so does closing
	}
	return errors.Join(c.Connection.Close(), c.wire.close())
}

// ping sends pings until the connection is closed.
func (c *client) ping(period time.Duration) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-c.CloseChan():
			return
		case <-ticker.C:
		}
		if _, err := c.Ping(); err != nil {
			klog.V(3).InfoS("SPDY ping failed", "err", err)
		}
	}
}

// wire is a network connection that can be closed more than once. spdystream closes it too, and would wait for
// somebody to ask for an error.
type wire struct {
	net.Conn
	r      io.Reader
	once   sync.Once
	closed error

	mu   sync.Mutex // guards lost
	lost error      // of the first Read that failed; spdystream does not read after a goodbye
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err == io.EOF {
		w.lose(io.ErrUnexpectedEOF)
	} else if err != nil {
		w.lose(err)
	}
	return n, err
}

func (w *wire) lose(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lost == nil {
		w.lost = err
	}
}

func (w *wire) Close() error {
	_ = w.close() // client.Close returns it
	return nil
}

func (w *wire) close() error {
	w.once.Do(func() { w.closed = w.Conn.Close() })
	return w.closed
}
