package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"

	"github.com/listwatch/listwatch/apitest/internal/control"
	"github.com/listwatch/listwatch/apitest/internal/host"
)

// serveControl makes servers for the program that has started this one, package apitest, until in ends or ctx does.
func serveControl(ctx context.Context, args []string, in io.ReadCloser, out io.WriteCloser) error {
	if len(args) > 0 {
		return usageError{errors.New("control takes no arguments")}
	}
	listener := &oneConn{conn: make(chan net.Conn, 1), closed: make(chan struct{})}
	listener.conn <- control.NewConn(in, out)
	server := &http.Server{
		Handler:   host.New(),
		Protocols: new(http.Protocols),
		HTTP2:     &http.HTTP2Config{MaxConcurrentStreams: 10_000},
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				_ = listener.Close()
			}
		},
	}
	server.Protocols.SetUnencryptedHTTP2(true)
	defer context.AfterFunc(ctx, func() { _ = server.Close() })() // the pipes end with the program
	if err := server.Serve(listener); !errors.Is(err, net.ErrClosed) && !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// oneConn is a listener with one connection.
type oneConn struct {
	conn   chan net.Conn
	once   sync.Once
	closed chan struct{}
}

// Accept implements net.Listener.
func (l *oneConn) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conn:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Addr implements net.Listener.
func (l *oneConn) Addr() net.Addr { return &net.UnixAddr{Name: "stdin", Net: "pipe"} }

// Close implements net.Listener. Closing it again does nothing.
func (l *oneConn) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}
