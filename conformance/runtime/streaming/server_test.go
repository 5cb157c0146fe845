package streaming_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"
)

// process is the server's end of a command.
type process struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// exit is the exit code of a command.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// statusOf returns what a server reports of a command's end.
func statusOf(err error) []byte {
	s := metav1.Status{Status: metav1.StatusSuccess}
	var code exit
	switch {
	case errors.As(err, &code):
		s = metav1.Status{Status: metav1.StatusFailure, Reason: remotecommand.NonZeroExitCodeReason, Details: &metav1.StatusDetails{
			Causes: []metav1.StatusCause{{Type: remotecommand.ExitCodeCauseType, Message: fmt.Sprint(int(code))}},
		}}
	case err != nil:
		s = metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return text
}

// serve starts a server that runs a command for each request.
func serve(t *testing.T, command func(process) error) *httptest.Server {
	t.Helper()
	var serving sync.WaitGroup
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving.Add(1)
		defer serving.Done()
		if websocket.IsWebSocketUpgrade(r) {
			serveWebSocket(w, r, command)
		} else {
			serveSPDY(w, r, command)
		}
	}))
	t.Cleanup(func() {
		server.Close()
		serving.Wait()
	})
	return server
}

func serveSPDY(w http.ResponseWriter, r *http.Request, command func(process) error) {
	if _, err := httpstream.Handshake(r, w, []string{remotecommand.StreamProtocolV5Name, remotecommand.StreamProtocolV4Name}); err != nil {
		return
	}
	streams := make(chan httpstream.Stream, 5)
	conn := spdy.NewResponseUpgrader().UpgradeResponse(w, r, func(s httpstream.Stream, replied <-chan struct{}) error {
		go func() {
			<-replied
			streams <- s
		}()
		return nil
	})
	if conn == nil {
		return
	}
	defer func() { _ = conn.Close() }()
	byName := map[string]httpstream.Stream{}
	wanted := 1
	for _, name := range []string{"stdin", "stdout", "stderr"} {
		if r.URL.Query().Get(name) == "true" {
			wanted++
		}
	}
	for len(byName) < wanted {
		select {
		case s := <-streams:
			// If the connection broke off before the reply, the stream would wait for it for ever.
			if err := s.(interface {
				SendReply(header http.Header, fin bool) error
			}).SendReply(http.Header{}, false); err != nil {
				return
			}
			byName[s.Headers().Get("streamType")] = s
		case <-conn.CloseChan():
			return
		}
	}
	p := process{stdout: io.Discard, stderr: io.Discard}
	if s, ok := byName["stdin"]; ok {
		p.stdin = s
	}
	if s, ok := byName["stdout"]; ok {
		p.stdout = s
	}
	if s, ok := byName["stderr"]; ok {
		p.stderr = s
	}
	_, _ = byName["error"].Write(statusOf(command(p)))
	// As a kubelet does: the connection is closed behind the result.
}

func serveWebSocket(w http.ResponseWriter, r *http.Request, command func(process) error) {
	upgrader := websocket.Upgrader{Subprotocols: []string{remotecommand.StreamProtocolV5Name, remotecommand.StreamProtocolV4Name}}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	var mu sync.Mutex // is held to write
	channel := func(id byte) io.Writer {
		return writer(func(p []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			return len(p), conn.WriteMessage(websocket.BinaryMessage, append([]byte{id}, p...))
		})
	}
	stdin, input := io.Pipe()
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer func() { _ = input.Close() }()
		for {
			_, message, err := conn.ReadMessage()
			switch {
			case err != nil || len(message) == 0:
				return
			case message[0] == remotecommand.StreamClose:
				_ = input.Close()
			case message[0] == remotecommand.StreamStdIn:
				_, _ = input.Write(message[1:])
			}
		}
	}()
	ended := command(process{stdin, channel(remotecommand.StreamStdOut), channel(remotecommand.StreamStdErr)})
	_ = stdin.Close()
	_, _ = channel(remotecommand.StreamErr).Write(statusOf(ended))
	_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
	select {
	case <-read:
	case <-time.After(5 * time.Second):
		_ = conn.Close()
		<-read
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }
