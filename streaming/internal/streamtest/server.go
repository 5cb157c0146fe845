// Package streamtest serves commands and ports over SPDY and WebSockets, as a Kubernetes server does, for tests.
package streamtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/moby/spdystream"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"
)

// Process is the server's end of a command. Streams that the request does not ask for are nil.
type Process struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Resize contains sizes of the terminal in JSON.
	Resize io.Reader
}

// Command runs a command until it ends, or ctx does because the client is gone. An [Exit] is its exit code.
type Command func(ctx context.Context, p Process) error

// Exit is an exit code.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Serve starts a server that runs command for every request, with the given subprotocols of SPDY and WebSockets,
// until the test ends. The query of a request names the streams, as in Kubernetes: stdin=true and so on.
func Serve(t testing.TB, protocols []string, command Command) *httptest.Server {
	t.Helper()
	server, stop := Start(protocols, command)
	t.Cleanup(stop)
	return server
}

// Start is Serve until stop is called.
func Start(protocols []string, command Command) (server *httptest.Server, stop func()) {
	var serving sync.WaitGroup
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving.Add(1)
		defer serving.Done()
		if websocket.IsWebSocketUpgrade(r) {
			serveWebSocket(w, r, protocols, command)
		} else {
			serveSPDY(w, r, protocols, command)
		}
	}))
	return server, func() {
		server.Close()
		serving.Wait()
	}
}

func asks(r *http.Request, stream string) bool { return r.URL.Query().Get(stream) == "true" }

// status returns the message about a command's end.
func status(protocol string, err error) []byte {
	if !strings.HasPrefix(protocol, "v4") && !strings.HasPrefix(protocol, "v5") {
		if err == nil {
			return nil
		}
		return []byte(err.Error())
	}
	s := metav1.Status{Status: metav1.StatusSuccess}
	var code Exit
	if errors.As(err, &code) {
		s = metav1.Status{
			Status: metav1.StatusFailure,
			Reason: remotecommand.NonZeroExitCodeReason,
			Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{
				{Type: "Other", Message: "x"},
				{Type: remotecommand.ExitCodeCauseType, Message: fmt.Sprint(int(code))},
			}},
		}
	} else if err != nil {
		s = metav1.Status{Status: metav1.StatusFailure, Reason: metav1.StatusReasonInternalError, Message: err.Error()}
	}
	message, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return message
}

func serveSPDY(w http.ResponseWriter, r *http.Request, protocols []string, command Command) {
	if r.Header.Get("Upgrade") == "" {
		http.Error(w, "no upgrade", http.StatusBadRequest)
		return
	}
	protocol, err := httpstream.Handshake(r, w, protocols)
	if err != nil {
		return
	}
	type accepted struct {
		httpstream.Stream
		replied <-chan struct{}
	}
	streams := make(chan accepted, 5)
	conn := spdy.NewResponseUpgrader().UpgradeResponse(w, r, func(s httpstream.Stream, replied <-chan struct{}) error {
		streams <- accepted{s, replied}
		return nil
	})
	if conn == nil {
		return
	}
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		<-conn.CloseChan()
		cancel()
	}()

	expected := map[string]bool{"error": true}
	for _, name := range []string{"stdin", "stdout", "stderr"} {
		if asks(r, name) {
			expected[name] = true
		}
	}
	if asks(r, "tty") {
		delete(expected, "stderr")
		if !slices.Contains([]string{"", "channel.k8s.io", "v2.channel.k8s.io"}, protocol) {
			expected["resize"] = true
		}
	}
	byName := map[string]httpstream.Stream{}
	for len(byName) < len(expected) {
		select {
		case s := <-streams:
			<-s.replied
			// If the connection broke off before the reply, the stream would wait for it for ever.
			if err := s.Stream.(*spdystream.Stream).SendReply(http.Header{}, false); err != nil {
				return
			}
			byName[s.Headers().Get("streamType")] = s
		case <-ctx.Done():
			return
		}
	}
	var p Process
	if s, ok := byName["stdin"]; ok {
		p.Stdin = s
	}
	if s, ok := byName["stdout"]; ok {
		p.Stdout = s
	}
	if s, ok := byName["stderr"]; ok {
		p.Stderr = s
	}
	if s, ok := byName["resize"]; ok {
		p.Resize = s
	}
	ended := command(ctx, p)
	if errors.Is(ended, context.Canceled) {
		return // nobody is left to tell
	}
	if message := status(protocol, ended); len(message) > 0 {
		_, _ = byName["error"].Write(message)
	}
	for _, s := range byName {
		_ = s.Close()
	}
	// The client closes the connection, except in version 1, where it may wait for the result.
	select {
	case <-ctx.Done():
	case <-time.After(10 * time.Second):
	}
}

func serveWebSocket(w http.ResponseWriter, r *http.Request, protocols []string, command Command) {
	upgrader := websocket.Upgrader{Subprotocols: protocols}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var mu sync.Mutex // is held to write
	send := func(id byte) io.Writer {
		return writer(func(p []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			return len(p), conn.WriteMessage(websocket.BinaryMessage, append([]byte{id}, p...))
		})
	}
	stdin, stdinWriter := io.Pipe()
	resize, resizeWriter := io.Pipe()
	channels := map[byte]*io.PipeWriter{0: stdinWriter, 4: resizeWriter}
	reading := make(chan struct{})
	go func() {
		defer close(reading)
		defer cancel()
		for {
			_, message, err := conn.ReadMessage()
			if err != nil || len(message) == 0 {
				break
			}
			switch id := message[0]; id {
			case 255:
				_ = channels[message[1]].Close()
			default:
				_, _ = channels[id].Write(message[1:])
			}
		}
		_ = stdinWriter.Close()
		_ = resizeWriter.Close()
	}()
	var p Process
	if asks(r, "stdin") {
		p.Stdin = stdin
	}
	if asks(r, "stdout") {
		p.Stdout = send(1)
	}
	if asks(r, "tty") {
		p.Resize = resize
	} else if asks(r, "stderr") {
		p.Stderr = send(2)
	}
	ended := command(ctx, p)
	_ = stdin.Close()
	_ = resize.Close()
	if message := status(conn.Subprotocol(), ended); len(message) > 0 {
		_, _ = send(3).Write(message)
	}
	_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
	select {
	case <-reading: // the client has closed the connection
	case <-time.After(10 * time.Second):
		_ = conn.Close()
		<-reading
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }
