package embedded

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"k8s.io/apiserver/pkg/endpoints/request"
)

// grace is how long a closing endpoint waits for others: first for its handlers, then for its clients. Both are
// notified, and take microseconds unless they hang.
const grace = 100 * time.Millisecond

// endpoint is one life of a server: a listener, its connections and requests.
//
// Closing it ends its requests, and then its side of the connections, which makes clients close theirs: after
// that, a client cannot send its next request on a dead connection.
type endpoint struct {
	server   *http.Server
	listener net.Listener
	shutdown chan struct{} // closed when the life ends; watches end then
	cancel   context.CancelFunc
	served   chan struct{} // closed when no connection is accepted any more

	mu       sync.Mutex // guards the rest
	closing  bool
	requests int
	conns    map[net.Conn]struct{}
	changed  chan struct{} // closed, and replaced, when their number decreases while closing
}

// newEndpoint serves handler on listener, with TLS if there is a certificate.
func newEndpoint(listener net.Listener, handler http.Handler, cert *certificate) *endpoint {
	e := &endpoint{
		listener: listener,
		shutdown: make(chan struct{}),
		served:   make(chan struct{}),
		conns:    map[net.Conn]struct{}{},
		changed:  make(chan struct{}),
	}
	ctx, cancel := context.WithCancel(request.WithServerShutdownSignal(context.Background(), e))
	e.cancel = cancel
	e.server = &http.Server{
		Handler:           e.count(handler),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnState:         e.connState,
		ReadHeaderTimeout: 32 * time.Second,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    1 << 20,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: 1000},
		Protocols:         new(http.Protocols),
		// net/http logs connections that end in the middle of a request, as they do in tests.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	e.server.Protocols.SetHTTP1(true)
	e.server.Protocols.SetHTTP2(true)
	e.server.Protocols.SetUnencryptedHTTP2(true)
	go func() {
		defer close(e.served)
		if cert == nil {
			_ = e.server.Serve(listener) // http.ErrServerClosed
			return
		}
		e.server.TLSConfig = cert.config()
		_ = e.server.ServeTLS(listener, "", "") // http.ErrServerClosed
	}()
	return e
}

// ShuttingDown implements request.ServerShutdownSignal.
func (e *endpoint) ShuttingDown() <-chan struct{} { return e.shutdown }

// count counts the requests in progress, and rejects new ones while the endpoint closes.
func (e *endpoint) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !e.enter() {
			panic(http.ErrAbortHandler)
		}
		defer e.leave()
		next.ServeHTTP(w, req)
	})
}

func (e *endpoint) enter() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closing {
		e.requests++
	}
	return !e.closing
}

func (e *endpoint) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.requests--
	e.wake()
}

// connState counts the connections.
func (e *endpoint) connState(conn net.Conn, state http.ConnState) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch state {
	case http.StateNew:
		e.conns[conn] = struct{}{}
		if e.closing {
			endWrites(conn)
		}
	case http.StateClosed, http.StateHijacked:
		delete(e.conns, conn)
		e.wake()
	}
}

// wake wakes the waiters. The lock is held.
func (e *endpoint) wake() {
	if e.closing {
		close(e.changed)
		e.changed = make(chan struct{})
	}
}

// wait returns when done, which is called under the lock, returns true, or when the time is over; a nil channel
// never ends.
func (e *endpoint) wait(over <-chan time.Time, done func() bool) {
	for {
		e.mu.Lock()
		changed, ok := e.changed, done()
		e.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-over:
			return
		}
	}
}

// close ends the life, and returns when nothing of it is running.
func (e *endpoint) close() {
	e.mu.Lock()
	e.closing = true
	e.mu.Unlock()
	_ = e.listener.Close() // it cannot fail in a way that matters
	close(e.shutdown)
	e.cancel()
	<-e.served

	e.wait(time.After(grace), func() bool { return e.requests == 0 })
	e.mu.Lock()
	for conn := range e.conns {
		endWrites(conn)
	}
	e.mu.Unlock()
	e.wait(time.After(grace), func() bool { return len(e.conns) == 0 })

	_ = e.server.Close() // the error is that the listener is already closed
	e.wait(nil, func() bool { return e.requests == 0 && len(e.conns) == 0 })
}

// endWrites signals a client that nothing more will be sent.
func endWrites(conn net.Conn) {
	if c, ok := conn.(*tls.Conn); ok {
		conn = c.NetConn()
	}
	if c, ok := conn.(interface{ CloseWrite() error }); ok {
		_ = c.CloseWrite() // the client may have closed it first
	}
}
