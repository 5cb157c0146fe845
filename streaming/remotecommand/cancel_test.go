package remotecommand_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"

	"github.com/gorilla/websocket"

	"github.com/listwatch/listwatch/streaming/internal/streamtest"
	"github.com/listwatch/listwatch/streaming/remotecommand"
)

// blocked is a reader, writer and queue that says when it is called, and then blocks until the test ends.
type blocked struct{ called, end chan struct{} }

func newBlocked(t *testing.T) *blocked {
	b := &blocked{make(chan struct{}, 1), make(chan struct{})}
	t.Cleanup(func() { close(b.end) })
	return b
}

func (b *blocked) block() {
	select {
	case b.called <- struct{}{}:
	default:
	}
	<-b.end
}

func (b *blocked) Read([]byte) (int, error)          { b.block(); return 0, io.EOF }
func (b *blocked) Write(p []byte) (int, error)       { b.block(); return len(p), nil }
func (b *blocked) Next() *remotecommand.TerminalSize { b.block(); return nil }

// TestCancel ends the context at all times at which a call may wait.
func TestCancel(t *testing.T) {
	silent := func(t *testing.T, called chan<- struct{}) *httptest.Server {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				t.Cleanup(func() { _ = conn.Close() })
				called <- struct{}{}
			}
		}()
		return &httptest.Server{URL: "http://" + listener.Addr().String()}
	}
	mute := func(t *testing.T, called chan<- struct{}) *httptest.Server {
		end := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if websocket.IsWebSocketUpgrade(r) {
				upgrader := websocket.Upgrader{Subprotocols: []string{v5}}
				conn, err := upgrader.Upgrade(w, r, nil)
				if err != nil {
					t.Error(err)
					return
				}
				defer func() { _ = conn.Close() }()
			} else {
				w.Header().Set("Connection", "Upgrade")
				w.Header().Set("Upgrade", spdy.HeaderSpdy31)
				w.Header().Set(httpstream.HeaderProtocolVersion, v5)
				w.WriteHeader(http.StatusSwitchingProtocols)
				conn, _, err := w.(http.Hijacker).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				defer func() { _ = conn.Close() }()
			}
			called <- struct{}{}
			<-end
		}))
		t.Cleanup(func() {
			close(end)
			server.Close()
		})
		return server
	}
	running := func(command func(streamtest.Process)) func(*testing.T, chan<- struct{}) *httptest.Server {
		return func(t *testing.T, called chan<- struct{}) *httptest.Server {
			over := make(chan struct{})
			server := streamtest.Serve(t, []string{v5}, func(ctx context.Context, p streamtest.Process) error {
				called <- struct{}{}
				command(p)
				select {
				case <-ctx.Done():
				case <-over: // behind input that it does not read, the server does not see the client's end
				}
				return context.Canceled
			})
			t.Cleanup(func() { close(over) })
			return server
		}
	}
	endless := func(p streamtest.Process) {
		for {
			if _, err := io.WriteString(p.Stdout, strings.Repeat("x", 4096)); err != nil {
				return
			}
		}
	}
	tests := []struct {
		name    string
		serve   func(*testing.T, chan<- struct{}) *httptest.Server
		options func(*blocked) remotecommand.StreamOptions
		blocks  bool // waits for the local end
	}{
		{"before the response", silent, func(*blocked) remotecommand.StreamOptions {
			return remotecommand.StreamOptions{Stdout: io.Discard}
		}, false},
		{"after the upgrade", mute, func(*blocked) remotecommand.StreamOptions {
			return remotecommand.StreamOptions{Stdout: io.Discard}
		}, false},
		{"while the command runs", running(func(streamtest.Process) {}), func(*blocked) remotecommand.StreamOptions {
			return remotecommand.StreamOptions{Stdout: io.Discard, Stderr: io.Discard}
		}, false},
		{"while it writes", running(endless), func(*blocked) remotecommand.StreamOptions {
			return remotecommand.StreamOptions{Stdout: io.Discard}
		}, false},
		{"while its output is not accepted", running(endless), func(b *blocked) remotecommand.StreamOptions {
			return remotecommand.StreamOptions{Stdout: b}
		}, true},
		{"while input is awaited", running(func(streamtest.Process) {}), func(b *blocked) remotecommand.StreamOptions {
			return remotecommand.StreamOptions{Stdin: b, Stdout: io.Discard}
		}, true},
		{"while input is not accepted", running(func(streamtest.Process) {}), func(*blocked) remotecommand.StreamOptions {
			return remotecommand.StreamOptions{Stdin: endlessReader{}, Stdout: io.Discard}
		}, false},
		{"while a terminal's size is awaited", running(func(streamtest.Process) {}), func(b *blocked) remotecommand.StreamOptions {
			return remotecommand.StreamOptions{Tty: true, TerminalSizeQueue: b, Stdout: io.Discard}
		}, true},
	}
	for _, kind := range kinds {
		for _, test := range tests {
			t.Run(kind.name+" "+test.name, func(t *testing.T) {
				called := make(chan struct{}, 10)
				b := newBlocked(t)
				options := test.options(b)
				executor := kind.create(t, test.serve(t, called), options, v5)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				result := make(chan error, 1)
				go func() { result <- executor.StreamWithContext(ctx, options) }()
				<-called
				if test.blocks {
					<-b.called
				}
				cancel()
				if err := <-result; !errors.Is(err, context.Canceled) {
					t.Errorf("got %v, want %v", err, context.Canceled)
				}
			})
		}
		t.Run(kind.name+" deadline", func(t *testing.T) {
			options := remotecommand.StreamOptions{Stdout: io.Discard}
			executor := kind.create(t, silent(t, make(chan struct{}, 1)), options, v5)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			if err := executor.StreamWithContext(ctx, options); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
			}
		})
	}
}

// endlessReader is input without end.
type endlessReader struct{}

func (endlessReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'y'
	}
	return len(p), nil
}
