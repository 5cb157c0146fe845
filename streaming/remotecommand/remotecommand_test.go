package remotecommand_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/streaming/exec"
	"github.com/listwatch/listwatch/streaming/internal/streamtest"
	"github.com/listwatch/listwatch/streaming/remotecommand"
	"github.com/listwatch/listwatch/streaming/spdy"
)

const (
	v1 = "channel.k8s.io"
	v2 = "v2.channel.k8s.io"
	v3 = "v3.channel.k8s.io"
	v4 = "v4.channel.k8s.io"
	v5 = "v5.channel.k8s.io"
)

// urlFor returns the URL that asks for the streams of options.
func urlFor(t *testing.T, server *httptest.Server, o remotecommand.StreamOptions) *url.URL {
	t.Helper()
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	q := url.Values{}
	for name, wanted := range map[string]bool{"stdin": o.Stdin != nil, "stdout": o.Stdout != nil, "stderr": o.Stderr != nil, "tty": o.Tty} {
		q.Set(name, fmt.Sprint(wanted))
	}
	u.RawQuery = q.Encode()
	return u
}

// spdyExecutor and webSocketExecutor return executors for a server that knows protocol.
func spdyExecutor(t *testing.T, server *httptest.Server, o remotecommand.StreamOptions, protocol string) remotecommand.Executor {
	t.Helper()
	transport, upgrader, err := spdy.RoundTripperFor(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	executor, err := remotecommand.NewSPDYExecutorForProtocols(transport, upgrader, "POST", urlFor(t, server, o), protocol)
	if err != nil {
		t.Fatal(err)
	}
	return executor
}

func webSocketExecutor(t *testing.T, server *httptest.Server, o remotecommand.StreamOptions, protocol string) remotecommand.Executor {
	t.Helper()
	executor, err := remotecommand.NewWebSocketExecutorForProtocols(&rest.Config{Host: server.URL}, "GET", urlFor(t, server, o).String(), protocol)
	if err != nil {
		t.Fatal(err)
	}
	return executor
}

type newExecutor func(*testing.T, *httptest.Server, remotecommand.StreamOptions, string) remotecommand.Executor

// kinds are the executors, and the protocols that they have.
var kinds = []struct {
	name      string
	create    newExecutor
	protocols []string
}{
	{"SPDY", spdyExecutor, []string{v1, v2, v3, v4, v5}},
	{"WebSocket", webSocketExecutor, []string{v1, v2, v3, v4, v5}},
}

// sizes is a queue of terminal sizes.
type sizes []remotecommand.TerminalSize

func (s *sizes) Next() *remotecommand.TerminalSize {
	if len(*s) == 0 {
		return nil
	}
	size := (*s)[0]
	*s = (*s)[1:]
	return &size
}

// brokenWriter fails after the first write.
type brokenWriter struct{ written int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.written > 0 {
		return 0, errors.New("broken")
	}
	w.written += len(p)
	return len(p), nil
}

// text is an input in the table of TestStream.
type text string

func (text) Read([]byte) (int, error) { panic("not meant to be read") }

func TestStream(t *testing.T) {
	big := strings.Repeat("0123456789abcdef", 1<<16) // 1 MiB
	tests := []struct {
		name    string
		from    int // the first version that can do it
		to      int // the last one, 0 for all
		command streamtest.Command
		options remotecommand.StreamOptions
		wantOut string
		wantErr string
		err     string
		code    int
	}{
		{
			name: "output",
			command: func(_ context.Context, p streamtest.Process) error {
				fmt.Fprint(p.Stdout, "out")
				fmt.Fprint(p.Stderr, "err")
				return nil
			},
			options: remotecommand.StreamOptions{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}},
			wantOut: "out", wantErr: "err",
		},
		{
			name: "much output",
			command: func(_ context.Context, p streamtest.Process) error {
				_, err := io.WriteString(p.Stdout, big)
				return err
			},
			options: remotecommand.StreamOptions{Stdout: &bytes.Buffer{}},
			wantOut: big,
		},
		{
			name:    "input to its end",
			from:    5, // in version 1 no input ends, and in older ones than 5 none of a WebSocket
			command: func(_ context.Context, p streamtest.Process) error { _, err := io.Copy(p.Stdout, p.Stdin); return err },
			options: remotecommand.StreamOptions{Stdin: text(big), Stdout: &bytes.Buffer{}},
			wantOut: big,
		},
		{
			name: "input that the command does not read to its end",
			command: func(_ context.Context, p streamtest.Process) error {
				line := make([]byte, 2)
				_, err := io.ReadFull(p.Stdin, line)
				fmt.Fprintf(p.Stdout, "got %s", line)
				return err
			},
			options: remotecommand.StreamOptions{Stdin: text("ab"), Stdout: &bytes.Buffer{}},
			wantOut: "got ab",
		},
		{
			name: "terminal sizes",
			from: 3,
			command: func(_ context.Context, p streamtest.Process) error {
				var a, b remotecommand.TerminalSize
				decoder := json.NewDecoder(p.Resize)
				if err := errors.Join(decoder.Decode(&a), decoder.Decode(&b)); err != nil {
					return err
				}
				fmt.Fprint(p.Stdout, a, b)
				return nil
			},
			options: remotecommand.StreamOptions{
				Tty: true, Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{},
				TerminalSizeQueue: &sizes{{Width: 80, Height: 24}, {Width: 132, Height: 50}},
			},
			wantOut: "{80 24} {132 50}",
		},
		{
			name: "exit code",
			from: 4,
			command: func(_ context.Context, p streamtest.Process) error {
				fmt.Fprint(p.Stdout, "out")
				return streamtest.Exit(37)
			},
			options: remotecommand.StreamOptions{Stdout: &bytes.Buffer{}},
			wantOut: "out",
			err:     "command terminated with exit code 37",
			code:    37,
		},
		{
			name:    "failure",
			from:    4,
			command: func(context.Context, streamtest.Process) error { return errors.New("container not found") },
			options: remotecommand.StreamOptions{Stdout: &bytes.Buffer{}},
			err:     "container not found",
		},
		{
			name:    "failure of old servers",
			to:      3,
			command: func(context.Context, streamtest.Process) error { return errors.New("container not found") },
			options: remotecommand.StreamOptions{Stdin: text("")},
			err:     "error executing remote command: container not found",
		},
		{
			name: "output that is not accepted",
			from: 2,
			command: func(_ context.Context, p streamtest.Process) error {
				_, err := io.WriteString(p.Stdout, big)
				return err
			},
			options: remotecommand.StreamOptions{Stdout: &brokenWriter{}},
		},
	}
	for _, kind := range kinds {
		for i, protocol := range kind.protocols {
			for _, test := range tests {
				if i+1 < test.from || test.to != 0 && i+1 > test.to {
					continue
				}
				t.Run(kind.name+" "+protocol+" "+test.name, func(t *testing.T) {
					server := streamtest.Serve(t, []string{protocol}, test.command)
					options := test.options
					var stdout, stderr bytes.Buffer
					if _, ok := options.Stdout.(*bytes.Buffer); ok {
						options.Stdout = &stdout
					}
					if _, ok := options.Stderr.(*bytes.Buffer); ok {
						options.Stderr = &stderr
					}
					if r, ok := options.Stdin.(text); ok {
						options.Stdin = strings.NewReader(string(r)) // the last one may still be read
					}
					if s, ok := options.TerminalSizeQueue.(*sizes); ok {
						copied := append(sizes(nil), *s...)
						options.TerminalSizeQueue = &copied
					}
					err := kind.create(t, server, options, protocol).StreamWithContext(t.Context(), options)
					if got := fmt.Sprint(err); got != test.err && (test.err != "" || err != nil) {
						t.Errorf("error %q, want %q", got, test.err)
					}
					var code exec.CodeExitError
					if errors.As(err, &code) != (test.code != 0) || code.Code != test.code {
						t.Errorf("exit code %d, want %d", code.Code, test.code)
					}
					if stdout.String() != test.wantOut || stderr.String() != test.wantErr {
						t.Errorf("output %.100q and %.100q, want %.100q and %.100q", &stdout, &stderr, test.wantOut, test.wantErr)
					}
				})
			}
		}
	}
}

// TestConcurrentStreams uses one executor of each kind from many goroutines.
func TestConcurrentStreams(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			server := streamtest.Serve(t, []string{v5}, func(_ context.Context, p streamtest.Process) error {
				_, err := io.Copy(p.Stdout, p.Stdin)
				return err
			})
			executor := kind.create(t, server, remotecommand.StreamOptions{Stdin: strings.NewReader(""), Stdout: io.Discard}, v5)
			var streaming sync.WaitGroup
			for i := range 8 {
				streaming.Go(func() {
					var out bytes.Buffer
					want := strings.Repeat(fmt.Sprint(i), 100_000)
					err := executor.StreamWithContext(t.Context(), remotecommand.StreamOptions{Stdin: strings.NewReader(want), Stdout: &out})
					if err != nil || out.String() != want {
						t.Errorf("call %d: %v, %d bytes of its own: %v", i, err, out.Len(), out.String() == want)
					}
				})
			}
			streaming.Wait()
		})
	}
}
