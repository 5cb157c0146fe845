package remotecommand_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/httpstream"
	streaming "k8s.io/streaming/pkg/httpstream"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/streaming/internal/streamtest"
	"github.com/listwatch/listwatch/streaming/remotecommand"
	"github.com/listwatch/listwatch/streaming/spdy"
)

func TestRefusedUpgrades(t *testing.T) {
	forbidden := apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "web", errors.New("not you"))
	tests := []struct {
		name   string
		handle http.HandlerFunc
		want   []string
		is     func(error) bool
	}{
		{"with a Status", func(w http.ResponseWriter, _ *http.Request) {
			status := forbidden.Status()
			status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
			w.WriteHeader(http.StatusForbidden)
			_ = json.NewEncoder(w).Encode(status)
		}, []string{`pods "web" is forbidden: not you`}, apierrors.IsForbidden},
		{"with a text", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "go away", http.StatusBadGateway)
		}, []string{"go away"}, nil},
		{"without anything", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusTeapot)
		}, []string{"418 I'm a teapot"}, nil},
		{"with a text without end", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat("x", 4096)); err != nil {
					return
				}
			}
		}, []string{"xxxxxxxx"}, nil},
	}
	for _, kind := range kinds {
		for _, test := range tests {
			t.Run(kind.name+" "+test.name, func(t *testing.T) {
				server := httptest.NewServer(test.handle)
				defer server.Close()
				options := remotecommand.StreamOptions{Stdout: io.Discard}
				err := kind.create(t, server, options, v5).StreamWithContext(t.Context(), options)
				if err == nil {
					t.Fatal("no error")
				}
				for _, want := range test.want {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("error %.200q does not contain %q", err, want)
					}
				}
				if len(err.Error()) > 100<<10 {
					t.Errorf("error of %d bytes", len(err.Error()))
				}
				if test.is != nil && !test.is(err) {
					t.Errorf("%#v is not recognized", err)
				}
				if got, want := httpstream.IsUpgradeFailure(err), kind.name == "WebSocket"; got != want || streaming.IsUpgradeFailure(err) != want {
					t.Errorf("IsUpgradeFailure %v and %v, want %v", got, streaming.IsUpgradeFailure(err), want)
				}
			})
		}
	}
}

func TestFallback(t *testing.T) {
	command := func(_ context.Context, p streamtest.Process) error {
		_, err := io.WriteString(p.Stdout, "hi")
		return err
	}
	both := streamtest.Serve(t, []string{v4, v5}, command)
	old := streamtest.Serve(t, []string{v4}, command)
	noWebSockets := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if websocket.IsWebSocketUpgrade(r) {
			http.Error(w, "what is that?", http.StatusBadRequest)
			return
		}
		both.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(noWebSockets.Close)
	for name, server := range map[string]*httptest.Server{"WebSockets": both, "no v5": old, "no WebSockets": noWebSockets} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			options := remotecommand.StreamOptions{Stdout: &out}
			config, u := &rest.Config{Host: server.URL}, urlFor(t, server, options)
			first, err := remotecommand.NewWebSocketExecutor(config, "GET", u.String())
			if err != nil {
				t.Fatal(err)
			}
			second, err := remotecommand.NewSPDYExecutor(config, "POST", u)
			if err != nil {
				t.Fatal(err)
			}
			fellBack := false
			executor, err := remotecommand.NewFallbackExecutor(first, second, func(err error) bool {
				fellBack = httpstream.IsUpgradeFailure(err)
				return fellBack
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := executor.StreamWithContext(t.Context(), options); err != nil || out.String() != "hi" {
				t.Errorf("got %q, %v", &out, err)
			}
			if want := name != "WebSockets"; fellBack != want {
				t.Errorf("fell back: %v, want %v", fellBack, want)
			}
		})
	}
}

// TestBrokenWebSockets serves messages that are not what a client expects.
func TestBrokenWebSockets(t *testing.T) {
	success := append([]byte{3}, `{"status":"Success"}`...)
	tests := []struct {
		name     string
		messages [][]byte
		text     bool
		close    int // the code, 0 for none
		want     string
	}{
		{"closed without a result", nil, false, websocket.CloseNormalClosure, "<nil>"},
		{"broken without a result", nil, false, 0, "error reading from error stream: next reader: websocket: close 1006"},
		{"closed with another code", nil, false, websocket.CloseGoingAway, "error reading from error stream: next reader: websocket: close 1001"},
		{"broken after the result", [][]byte{success}, false, 0, "<nil>"},
		{"unknown channel", [][]byte{{77, 1, 2}, success}, false, websocket.CloseNormalClosure, "<nil>"},
		{"empty channel", [][]byte{{1}, success}, false, websocket.CloseNormalClosure, "<nil>"},
		{"no channel", [][]byte{{}}, false, websocket.CloseNormalClosure, "read stream id"},
		{"text", [][]byte{success}, true, websocket.CloseNormalClosure, "unexpected message type: 1"},
		{"broken in the result", [][]byte{success[:10]}, false, 0, "error reading from error stream: next reader: websocket: close 1006"},
		{"result that is not JSON", [][]byte{[]byte("\x03oops")}, false, websocket.CloseNormalClosure, "error stream protocol error: invalid"},
		{"result without a status", [][]byte{[]byte("\x03{}")}, false, websocket.CloseNormalClosure, "error stream protocol error: unknown error"},
		{"exit code that is none", [][]byte{[]byte("\x03" + `{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"256"}]}}`)}, false, websocket.CloseNormalClosure, `invalid exit code value "256"`},
		{"exit code that is missing", [][]byte{[]byte("\x03" + `{"status":"Failure","reason":"NonZeroExitCode","details":{}}`)}, false, websocket.CloseNormalClosure, "no ExitCode cause given"},
		{"exit code without details", [][]byte{[]byte("\x03" + `{"status":"Failure","reason":"NonZeroExitCode"}`)}, false, websocket.CloseNormalClosure, "details must be set"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				upgrader := websocket.Upgrader{Subprotocols: []string{v5}}
				conn, err := upgrader.Upgrade(w, r, nil)
				if err != nil {
					t.Error(err)
					return
				}
				defer func() { _ = conn.Close() }()
				kind := websocket.BinaryMessage
				if test.text {
					kind = websocket.TextMessage
				}
				for _, message := range test.messages {
					_ = conn.WriteMessage(kind, message) // the client may have given up
				}
				if test.close != 0 {
					_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(test.close, ""), time.Now().Add(time.Second))
				}
			}))
			defer server.Close()
			options := remotecommand.StreamOptions{Stdout: io.Discard}
			err := webSocketExecutor(t, server, options, v5).StreamWithContext(t.Context(), options)
			if got := fmt.Sprint(err); !strings.Contains(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	server := streamtest.Serve(t, []string{v5}, func(context.Context, streamtest.Process) error { return nil })
	redirecting := httptest.NewServer(http.RedirectHandler(server.URL, http.StatusTemporaryRedirect))
	t.Cleanup(redirecting.Close)
	options := remotecommand.StreamOptions{Stdout: io.Discard}
	transport, upgrader, err := spdy.RoundTripperFor(&rest.Config{Host: redirecting.URL})
	if err != nil {
		t.Fatal(err)
	}
	executor, err := remotecommand.NewSPDYExecutorRejectRedirects(transport, upgrader, "POST", urlFor(t, redirecting, options))
	if err != nil {
		t.Fatal(err)
	}
	if err := executor.StreamWithContext(t.Context(), options); err == nil || !strings.Contains(err.Error(), "redirect not allowed") {
		t.Errorf("got %v", err)
	}
}
