package remotecommand

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	gorilla "github.com/gorilla/websocket"
	"k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/streaming/websocket"
)

const (
	// pingPeriod is how often a connection shows that it is alive, and readTimeout the time after which one is
	// broken on which the server sent nothing: neither a message nor the answer to a dozen pings.
	pingPeriod  = 5 * time.Second
	readTimeout = 12*pingPeriod + time.Second
	// writeTimeout is the time after which a connection is broken that does not accept a message.
	writeTimeout = 60 * time.Second
)

// webSocketExecutor is an [Executor] with WebSockets.
type webSocketExecutor struct {
	transport http.RoundTripper
	holder    websocket.ConnectionHolder
	method    string
	url       func() string // as in spdyExecutor
	protocols []string
}

// NewWebSocketExecutor returns an executor that sends requests to url with the settings of config. method must be
// GET. It offers only version 5 of the protocol: a server that has an older one cannot end a command's input, and
// should be called by SPDY.
func NewWebSocketExecutor(config *rest.Config, method, url string) (Executor, error) {
	return NewWebSocketExecutorForProtocols(config, method, url, remotecommand.StreamProtocolV5Name)
}

// NewWebSocketExecutorForProtocols is [NewWebSocketExecutor] that offers protocols, the preferred one first.
func NewWebSocketExecutorForProtocols(config *rest.Config, method, url string, protocols ...string) (Executor, error) {
	transport, holder, err := websocket.RoundTripperFor(config)
	if err != nil {
		return nil, fmt.Errorf("error creating websocket transports: %w", err)
	}
	return &webSocketExecutor{transport, holder, method, func() string { return url }, protocols}, nil
}

func (e *webSocketExecutor) Stream(options StreamOptions) error {
	return e.StreamWithContext(context.Background(), options)
}

func (e *webSocketExecutor) StreamWithContext(ctx context.Context, options StreamOptions) error {
	req, err := newRequest(ctx, e.method, e.url())
	if err != nil {
		return err
	}
	conn, err := websocket.Negotiate(e.transport, e.holder, req, e.protocols...)
	if err != nil {
		return err
	}
	closeConn := func() { _ = conn.Close() } // reading says more
	defer closeConn()
	chosen, err := parseVersion(conn.Subprotocol())
	if err != nil {
		return err
	}
	s := &session{logger: klog.FromContext(ctx), conn: conn, version: chosen}
	return untilDone(ctx, closeConn, func() error { return s.run(options) })
}

// session is one command on a WebSocket. One goroutine reads, several write.
type session struct {
	logger  klog.Logger
	conn    *gorilla.Conn
	version version

	mu sync.Mutex // is held to write a message, except pings
}

// run connects the channels of a command until the server closes the connection.
func (s *session) run(options StreamOptions) error {
	ended := make(chan struct{})
	var pinging sync.WaitGroup
	pinging.Go(func() { s.ping(ended) })
	defer pinging.Wait()
	defer close(ended)

	if options.Stdin != nil {
		go copyStdin(s.logger, channel{s, remotecommand.StreamStdIn}, options.Stdin)
	}
	if options.Tty && options.TerminalSizeQueue != nil && s.version.hasResize() {
		go copySizes(s.logger, channel{s, remotecommand.StreamResize}, options.TerminalSizeQueue)
	}
	var r result
	channels := map[byte]io.Writer{remotecommand.StreamErr: &r}
	if options.Stdout != nil {
		channels[remotecommand.StreamStdOut] = &output{name: streamTypeStdout, logger: s.logger, w: options.Stdout}
	}
	if options.Stderr != nil && !options.Tty {
		channels[remotecommand.StreamStdErr] = &output{name: streamTypeStderr, logger: s.logger, w: options.Stderr}
	}
	if err := s.read(channels); err != nil && !s.version.isWhole(r.Bytes()) {
		return fmt.Errorf("error reading from error stream: %w", err)
	}
	return s.version.decode(r.Bytes())
}

// read writes messages to their channels until the connection is closed. A normal closure is not an error.
func (s *session) read(channels map[byte]io.Writer) error {
	alive := func() error { return s.conn.SetReadDeadline(time.Now().Add(readTimeout)) }
	s.conn.SetPongHandler(func(string) error { return alive() })
	buffer := make([]byte, 32<<10)
	for {
		// Writing the last message may have taken longer than readTimeout, while pongs waited behind it.
		if err := alive(); err != nil {
			return err
		}
		kind, r, err := s.conn.NextReader()
		if closed := (&gorilla.CloseError{}); errors.As(err, &closed) && closed.Code == gorilla.CloseNormalClosure {
			return nil
		}
		if err != nil {
			return fmt.Errorf("next reader: %w", err)
		}
		if kind != gorilla.BinaryMessage {
			return fmt.Errorf("unexpected message type: %d", kind)
		}
		if _, err := io.ReadFull(r, buffer[:1]); err != nil {
			return fmt.Errorf("read stream id: %w", err)
		}
		to, ok := channels[buffer[0]]
		if !ok {
			to = io.Discard
		}
		if _, err := io.CopyBuffer(struct{ io.Writer }{to}, r, buffer); err != nil {
			return fmt.Errorf("read message: %w", err)
		}
	}
}

// ping sends pings until ended is closed.
func (s *session) ping(ended <-chan struct{}) {
	ticker := time.NewTicker(pingPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ended:
			return
		case <-ticker.C:
		}
		// It may be sent beside a message. If the connection is broken, reading fails.
		if err := s.conn.WriteControl(gorilla.PingMessage, nil, time.Now().Add(pingPeriod)); err != nil {
			s.logger.V(4).Info("Failed to send a ping", "err", err)
		}
	}
}

// send sends a message of several parts.
func (s *session) send(parts ...[]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	w, err := s.conn.NextWriter(gorilla.BinaryMessage)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return err // it is an error of the connection, which sends nothing any more
		}
	}
	return w.Close()
}

// channel is the local end of a channel to the server.
type channel struct {
	session *session
	id      byte
}

func (c channel) Write(p []byte) (int, error) {
	if err := c.session.send([]byte{c.id}, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close tells the server that the channel ends, if the protocol has a message for it.
func (c channel) Close() error {
	if !c.session.version.hasClose() {
		return nil
	}
	return c.session.send([]byte{remotecommand.StreamClose, c.id})
}
