package remotecommand

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/listwatch/listwatch/runtime/transport"
)

// Executor runs one command, as often as it is called. It is safe for concurrent use, if the streams are.
type Executor interface {
	// Stream is StreamWithContext without a way to end it.
	//
	// Deprecated: Use StreamWithContext instead.
	Stream(options StreamOptions) error

	// StreamWithContext runs the command and connects its streams to those of options. It returns when the command
	// has ended, with an exec.CodeExitError if its exit code is not 0, or when ctx ends, with its error.
	StreamWithContext(ctx context.Context, options StreamOptions) error
}

// StreamOptions are the local ends of a command's streams; nil leaves one out. The request's URL must ask for the
// same streams.
type StreamOptions struct {
	// Stdin is read until its end, which the command sees, or until the call returns.
	Stdin io.Reader
	// Stdout and Stderr receive the output, each from one goroutine. Output behind a failed Write is discarded.
	Stdout io.Writer
	Stderr io.Writer
	// Tty reports that the command has a terminal: its output is all in Stdout.
	Tty bool
	// TerminalSizeQueue returns the sizes of the terminal; nil leaves the size to the server. It needs Tty.
	TerminalSizeQueue TerminalSizeQueue
}

// TerminalSize is the size of a terminal in characters.
type TerminalSize struct {
	Width  uint16
	Height uint16
}

// TerminalSizeQueue returns the sizes of a terminal.
type TerminalSizeQueue interface {
	// Next waits until the size has changed and returns it, or nil if there will be no more changes.
	Next() *TerminalSize
}

// newRequest returns the request that starts a command. Its error does not show the command.
func newRequest(ctx context.Context, method, url string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return nil, transport.RedactError(err)
	}
	return req, nil
}

// grace is how long a call whose context has ended waits for its goroutines.
const grace = time.Second

// untilDone calls run until it returns or ctx ends. Then it calls abort, which is to make run return, and returns
// the context's error.
func untilDone(ctx context.Context, abort func(), run func() error) error {
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = run()
	}()
	select {
	case <-done:
		return err
	case <-ctx.Done():
	}
	abort()
	select {
	case <-done:
	case <-time.After(grace):
	}
	return ctx.Err()
}
