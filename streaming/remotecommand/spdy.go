package remotecommand

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"k8s.io/klog/v2"
	"k8s.io/streaming/pkg/httpstream"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/streaming/spdy"
)

// Headers of a SPDY stream, and their values.
const (
	streamType       = "streamType"
	streamTypeStdin  = "stdin"
	streamTypeStdout = "stdout"
	streamTypeStderr = "stderr"
	streamTypeError  = "error"
	streamTypeResize = "resize"
)

// spdyExecutor is an [Executor] with SPDY.
type spdyExecutor struct {
	transport       http.RoundTripper
	upgrader        spdy.Upgrader
	method          string
	url             func() string // a function, so that a printed executor does not show the command
	protocols       []string
	rejectRedirects bool
}

// NewSPDYExecutor returns an executor that sends requests with method, usually POST, to url, with the settings of
// config.
func NewSPDYExecutor(config *rest.Config, method string, url *url.URL) (Executor, error) {
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		return nil, err
	}
	return NewSPDYExecutorForTransports(transport, upgrader, method, url)
}

// NewSPDYExecutorForTransports is [NewSPDYExecutor] with a transport whose responses upgrader upgrades.
func NewSPDYExecutorForTransports(transport http.RoundTripper, upgrader spdy.Upgrader, method string, url *url.URL) (Executor, error) {
	newestFirst := slices.Clone(versions)
	slices.Reverse(newestFirst)
	return NewSPDYExecutorForProtocols(transport, upgrader, method, url, newestFirst...)
}

// NewSPDYExecutorRejectRedirects is [NewSPDYExecutorForTransports] for servers that must not redirect requests.
func NewSPDYExecutorRejectRedirects(transport http.RoundTripper, upgrader spdy.Upgrader, method string, url *url.URL) (Executor, error) {
	executor, err := NewSPDYExecutorForTransports(transport, upgrader, method, url)
	if err != nil {
		return nil, err
	}
	executor.(*spdyExecutor).rejectRedirects = true
	return executor, nil
}

// NewSPDYExecutorForProtocols is [NewSPDYExecutorForTransports] that offers protocols, the preferred one first.
func NewSPDYExecutorForProtocols(transport http.RoundTripper, upgrader spdy.Upgrader, method string, url *url.URL, protocols ...string) (Executor, error) {
	return &spdyExecutor{transport: transport, upgrader: upgrader, method: method, url: url.String, protocols: protocols}, nil
}

func (e *spdyExecutor) Stream(options StreamOptions) error {
	return e.StreamWithContext(context.Background(), options)
}

func (e *spdyExecutor) StreamWithContext(ctx context.Context, options StreamOptions) error {
	req, err := newRequest(ctx, e.method, e.url())
	if err != nil {
		return fmt.Errorf("error creating request: %w", err)
	}
	client := &http.Client{Transport: e.transport}
	if e.rejectRedirects {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return errors.New("redirect not allowed") }
	}
	conn, protocol, err := spdy.NegotiateStreaming(e.upgrader, client, req, e.protocols...)
	if err != nil {
		return err
	}
	closeConn := sync.OnceFunc(func() { _ = conn.Close() }) // the streams' own errors say more
	defer closeConn()
	chosen, err := parseVersion(protocol)
	if err != nil {
		return err
	}
	return untilDone(ctx, closeConn, func() error {
		return stream(klog.FromContext(ctx), conn, chosen, options)
	})
}

// spdyStreams are the remote ends of a command's streams; those that it does not have are nil.
type spdyStreams struct {
	result, stdin, stdout, stderr, resize httpstream.Stream
}

// createStreams creates the streams that a server expects. It must be done before data is sent: a server reads none
// until it has all streams.
func createStreams(conn httpstream.Connection, version version, options StreamOptions) (s spdyStreams, err error) {
	for _, each := range []struct {
		stream *httpstream.Stream
		name   string
		needed bool
	}{
		{&s.result, streamTypeError, true},
		{&s.stdin, streamTypeStdin, options.Stdin != nil},
		{&s.stdout, streamTypeStdout, options.Stdout != nil},
		{&s.stderr, streamTypeStderr, options.Stderr != nil && !options.Tty},
		{&s.resize, streamTypeResize, options.Tty && version.hasResize()},
	} {
		if !each.needed {
			continue
		}
		*each.stream, err = conn.CreateStream(http.Header{http.CanonicalHeaderKey(streamType): {each.name}})
		if err != nil {
			return s, fmt.Errorf("unable to create the stream %s: %w", each.name, err)
		}
	}
	return s, nil
}

// stream connects the streams of a command until it has ended.
func stream(logger klog.Logger, conn httpstream.Connection, version version, options StreamOptions) error {
	remote, err := createStreams(conn, version, options)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- readResult(version, remote.result, conn) }()
	if remote.stdin != nil {
		go copyStdin(logger, remote.stdin, options.Stdin)
		go func() { _, _ = io.Copy(io.Discard, remote.stdin) }() // a server may close it, but sends nothing
	}
	if remote.resize != nil && options.TerminalSizeQueue != nil {
		go copySizes(logger, remote.resize, options.TerminalSizeQueue)
	}
	var copying sync.WaitGroup
	copyOutput := func(name string, local io.Writer, remote io.Reader) {
		copying.Go(func() {
			if _, err := io.Copy(&output{name: name, logger: logger, w: local}, remote); err != nil {
				logger.V(3).Info("Failed to read output", "stream", name, "err", err)
			}
		})
	}
	if remote.stdout != nil {
		copyOutput(streamTypeStdout, options.Stdout, remote.stdout)
	}
	if remote.stderr != nil {
		copyOutput(streamTypeStderr, options.Stderr, remote.stderr)
	}
	if version.waitsForResult() {
		copying.Wait()
		return <-ended
	}
	return firstError(ended, &copying, remote.stdout != nil || remote.stderr != nil)
}

// firstError waits for version 1, whose servers report only errors: until there is one, or the output ends.
func firstError(ended <-chan error, copying *sync.WaitGroup, hasOutput bool) error {
	if !hasOutput {
		return <-ended
	}
	copied := make(chan struct{})
	go func() {
		copying.Wait()
		close(copied)
	}()
	select {
	case err := <-ended:
		if err != nil {
			return err
		}
		<-copied
	case <-copied:
	}
	return nil
}

func readResult(version version, remote io.Reader, conn httpstream.Connection) error {
	var r result
	if _, err := io.Copy(&r, remote); err != nil {
		return fmt.Errorf("error reading from error stream: %w", err)
	}
	if err := lost(conn); err != nil && version.hasExitCode() && !version.isWhole(r.Bytes()) {
		return fmt.Errorf("error reading from error stream: %w", err)
	}
	return version.decode(r.Bytes())
}

// lost returns the error of a connection that broke off. Its streams have ended without one, but the command has not,
// or its output is not complete: a server sends the result of each, and then goodbye.
func lost(conn httpstream.Connection) error {
	if c, ok := conn.(interface{ Lost() error }); ok {
		return c.Lost()
	}
	return nil
}
