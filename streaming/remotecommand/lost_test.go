package remotecommand_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/streaming/internal/streamtest"
	"github.com/listwatch/listwatch/streaming/remotecommand"
)

// cutting returns a server at another address, whose connections break off when so many bytes have come from server.
func cutting(t *testing.T, server *httptest.Server, after int64) *httptest.Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var copying sync.WaitGroup
	copying.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			upstream, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Error(err)
				return
			}
			copying.Go(func() {
				_, _ = io.Copy(upstream, client)
				_ = upstream.Close()
			})
			copying.Go(func() {
				_, _ = io.Copy(client, io.LimitReader(upstream, after))
				_ = client.Close()
				_ = upstream.Close()
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		copying.Wait()
	})
	return &httptest.Server{URL: "http://" + listener.Addr().String()}
}

// TestLostConnections cuts the connection at each byte that comes from the server. A call reports the end of the
// command only if it has received all output.
func TestLostConnections(t *testing.T) {
	const output, errorOutput = "the output", "its errors"
	for _, kind := range kinds {
		for want, end := range map[string]error{"<nil>": nil, "command terminated with exit code 3": streamtest.Exit(3)} {
			t.Run(kind.name+" "+want, func(t *testing.T) {
				server := streamtest.Serve(t, []string{v5}, func(_ context.Context, p streamtest.Process) error {
					if _, err := io.WriteString(p.Stdout, output); err != nil {
						return err
					}
					if _, err := io.WriteString(p.Stderr, errorOutput); err != nil {
						return err
					}
					return end
				})
				complete := 0
				for after := int64(0); complete < 3; after += 1 + after/50 {
					if after > 4000 {
						t.Fatal("no call reports the end of the command")
					}
					var stdout, stderr strings.Builder
					options := remotecommand.StreamOptions{Stdout: &stdout, Stderr: &stderr}
					err := kind.create(t, cutting(t, server, after), options, v5).StreamWithContext(t.Context(), options)
					if fmt.Sprint(err) == want {
						complete++
						if stdout.String() != output || stderr.String() != errorOutput {
							t.Errorf("cut after %d bytes: %v, output is %q and %q", after, err, &stdout, &stderr)
						}
					} else if err == nil {
						t.Errorf("cut after %d bytes: no error, output is %q and %q", after, &stdout, &stderr)
					}
					if !strings.HasPrefix(output, stdout.String()) || !strings.HasPrefix(errorOutput, stderr.String()) {
						t.Errorf("cut after %d bytes: output is %q and %q", after, &stdout, &stderr)
					}
				}
			})
		}
	}
}
