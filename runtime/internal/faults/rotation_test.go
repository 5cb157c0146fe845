package faults_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/runtime/internal/testcert"
	"github.com/listwatch/listwatch/runtime/rest"
)

// accepted are the tokens, or the names in certificates, that a server accepts, with the time until which it does.
type accepted map[string]time.Time

// TestRotationUnderLoad replaces the token and the certificate in their files while many clients are busy. The server
// accepts each until some time after the next one was written, as that of a cluster does: none is rejected, and no
// request that reads fails, though connections are closed when the certificate changes.
func TestRotationUnderLoad(t *testing.T) {
	for _, protocol := range []string{"http/1.1", "h2"} {
		t.Run(protocol, func(t *testing.T) { rotateUnderLoad(t, protocol) })
	}
}

func rotateUnderLoad(t *testing.T, protocol string) {
	const period, grace, length = 3 * time.Minute, 6 * time.Minute, 25 * time.Minute
	synctest.Test(t, func(t *testing.T) {
		ca := testcert.New(t)
		pair := ca.Server(t)
		var mu sync.Mutex // guards the maps and counters
		tokens, certs := accepted{}, accepted{}
		used := map[string]int{}
		accept := func(valid accepted, name string) {
			mu.Lock()
			defer mu.Unlock()
			used[name]++
			if until, ok := valid[name]; !ok || !until.IsZero() && time.Now().After(until) {
				t.Errorf("%q is used %v after the end", name, time.Since(until))
			}
		}
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			accept(tokens, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
			accept(certs, r.TLS.PeerCertificates[0].Subject.CommonName)
			time.Sleep(rand.N(5 * time.Second)) // connections are closed meanwhile
			answer(well).handler(w, r)
		})
		serverConfig := serverTLS(pair)
		serverConfig.NextProtos = []string{protocol}
		s.listener.wrap = func(c net.Conn) net.Conn { return tls.Server(newBuffered(c), serverConfig) }
		config := s.config()
		config.Host = "https://localhost"
		config.TLSClientConfig = rest.TLSClientConfig{CAData: ca.PEM, CertFile: file(t, ""), KeyFile: file(t, "")}
		config.BearerTokenFile = file(t, "")
		dial := config.Dial
		config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			return socket{conn}, err
		}
		next := func(valid accepted, name string) {
			mu.Lock()
			defer mu.Unlock()
			for old, until := range valid {
				if until.IsZero() {
					valid[old] = time.Now().Add(grace)
				}
			}
			valid[name] = time.Time{}
		}
		rotations := 0
		rotate := func() {
			rotations++
			name := fmt.Sprintf("cert %d", rotations)
			next(certs, name)
			cert, key := ca.Issue(t, name)
			token := fmt.Sprintf("token-%d", rotations)
			next(tokens, token)
			for path, data := range map[string][]byte{config.CertFile: cert, config.KeyFile: key, config.BearerTokenFile: []byte(token)} {
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Error(err)
				}
			}
		}
		rotate()
		ctx, cancel := context.WithTimeout(t.Context(), length)
		defer cancel()
		var working sync.WaitGroup
		clientset := clients(t, config)
		requests, lost := 0, 0
		for range 10 {
			working.Go(func() {
				for ctx.Err() == nil {
					c := calls[rand.IntN(len(calls))]
					o := c.do(t.Context(), clientset)
					reads := c.name != "create" && c.name != "update" && c.name != "delete"
					mu.Lock()
					requests++
					if o.err != nil && !reads {
						lost++
					}
					mu.Unlock()
					if o.err != nil && reads {
						t.Errorf("%s: %v", c.name, o.err)
					}
					time.Sleep(rand.N(3 * time.Second))
				}
			})
		}
		for ctx.Err() == nil {
			time.Sleep(period)
			rotate()
		}
		working.Wait()
		t.Logf("%d requests with %d tokens and %d certificates, %d writes lost their connection; %d connections", requests, len(tokens), len(certs), lost, s.conns.Load())
		if len(used) < rotations {
			t.Errorf("only %d credentials of %d rotations were used", len(used), rotations)
		}
	})
}

// socket is a connection in memory whose errors are those of a socket.
type socket struct{ net.Conn }

func (s socket) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	return n, ofSocket("read", err)
}

func (s socket) Write(p []byte) (int, error) {
	n, err := s.Conn.Write(p)
	return n, ofSocket("write", err)
}

func ofSocket(op string, err error) error {
	if errors.Is(err, io.ErrClosedPipe) {
		return &net.OpError{Op: op, Net: "tcp", Err: net.ErrClosed}
	}
	return err
}
