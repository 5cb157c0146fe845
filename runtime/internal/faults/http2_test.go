package faults_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"

	"github.com/listwatch/listwatch/runtime/internal/testcert"
	"github.com/listwatch/listwatch/runtime/rest"
)

// http2Server runs a server with HTTP/2, and returns a config for it and the number of its
// connections.
func http2Server(t *testing.T, handler http.HandlerFunc) (*rest.Config, *atomic.Int64) {
	t.Helper()
	ca := testcert.New(t)
	s := start(t, ca, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("the client speaks %s", r.Proto)
		}
		handler(w, r)
	}))
	conns := new(atomic.Int64)
	dialer := &net.Dialer{}
	return &rest.Config{
		Host:            s.URL,
		TLSClientConfig: rest.TLSClientConfig{CAData: ca.PEM},
		Proxy:           noProxy,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			conns.Add(1)
			return dialer.DialContext(ctx, network, address)
		},
	}, conns
}

// TestStreamIsReset checks that a stream reset by the server fails its call, or ends its watch, and
// no other: the connection is reused.
func TestStreamIsReset(t *testing.T) {
	for name, abort := range map[string]answer{
		"before the response": func(http.ResponseWriter, *http.Request, string) { panic(http.ErrAbortHandler) },
		"in the body": func(w http.ResponseWriter, _ *http.Request, good string) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, good[:len(good)*2/3])
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var over atomic.Bool
			var sent atomic.Int64
			config, conns := http2Server(t, func(w http.ResponseWriter, r *http.Request) {
				sent.Add(1)
				if over.Load() {
					answer(well).handler(w, r)
					return
				}
				abort.handler(w, r)
			})
			clientset := clients(t, config)
			for _, c := range calls {
				sent.Store(0)
				o := c.do(t.Context(), clientset)
				var reset http2.StreamError
				switch {
				case c.name == "watch" && name == "in the body":
					if len(o.got) != 1 || o.err != nil { // it continues where it was
						t.Errorf("watch: %v, %v", o.got, o.err)
					}
				case o.complete || !errors.As(o.err, &reset) || reset.Code != http2.ErrCodeInternal:
					t.Errorf("%s: error is %v", c.name, o.err)
				default:
					named(t, c, o.err)
				}
				if n := sent.Load(); n != 1 {
					t.Errorf("%s: %d requests were sent", c.name, n)
				}
			}
			over.Store(true)
			eachWorks(t, "after that", clientset)
			if n := conns.Load(); n != 1 {
				t.Errorf("%d connections were opened", n)
			}
		})
	}
}

// TestGoAway checks that clients leave a server that sends GOAWAY, as servers behind load balancers
// do, without an error: running requests are completed, and the next ones use another connection.
func TestGoAway(t *testing.T) {
	config, conns := http2Server(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close") // makes net/http send GOAWAY
		answer(well).handler(w, r)
	})
	clientset := clients(t, config)
	for range 3 {
		eachWorks(t, "going away", clientset)
	}
	if n := conns.Load(); n < 3*int64(len(calls)) {
		t.Errorf("%d connections were opened", n)
	}
}

// TestReset checks that a write is not sent again if the connection is reset.
func TestReset(t *testing.T) {
	var sent atomic.Int64
	s := start(t, nil, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent.Add(1)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}))
	clientset := clients(t, &rest.Config{Host: s.URL, Proxy: noProxy})
	for _, c := range calls {
		if c.name != "create" && c.name != "update" && c.name != "delete" {
			continue
		}
		sent.Store(0)
		if o := c.do(t.Context(), clientset); !errors.Is(o.err, syscall.ECONNRESET) || sent.Load() != 1 {
			t.Errorf("%s: sent %d times, error is %v", c.name, sent.Load(), o.err)
		}
	}
}

// TestCertificateExpires checks that a client does not trust new connections to a server whose
// certificate has expired during the client's lifetime, and that the error names the cause.
func TestCertificateExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ca := testcert.New(t)
		pair := ca.Server(t)
		s := serve(t, answer(well).handler)
		config := s.config()
		config.Host = "https://localhost"
		config.CAData = ca.PEM
		s.listener.wrap = func(c net.Conn) net.Conn { return tls.Server(newBuffered(c), serverTLS(pair)) }
		clientset := clients(t, config)
		eachWorks(t, "at first", clientset)
		time.Sleep(2 * time.Hour)
		for _, c := range calls {
			o := c.do(t.Context(), clientset)
			var invalid x509.CertificateInvalidError
			if !errors.As(o.err, &invalid) || invalid.Reason != x509.Expired {
				t.Errorf("%s: error is %v", c.name, o.err)
			}
		}
	})
}

// TestClientCertificateRotates checks that connections opened with a certificate that is no longer
// in its file are not used any more.
func TestClientCertificateRotates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ca := testcert.New(t)
		pair := ca.Server(t)
		var last atomic.Value
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			last.Store(r.TLS.PeerCertificates[0].Subject.CommonName)
			answer(well).handler(w, r)
		})
		s.listener.wrap = func(c net.Conn) net.Conn { return tls.Server(newBuffered(c), serverTLS(pair)) }
		cert, key := ca.Issue(t, "before")
		config := s.config()
		config.Host = "https://localhost"
		config.TLSClientConfig = rest.TLSClientConfig{CAData: ca.PEM, CertFile: file(t, string(cert)), KeyFile: file(t, string(key))}
		clientset := clients(t, config)
		expect := func(name string) {
			t.Helper()
			eachWorks(t, name, clientset)
			if got := last.Load(); got != name {
				t.Errorf("the client is %v, want %s", got, name)
			}
		}
		expect("before")
		cert, key = ca.Issue(t, "after")
		for path, data := range map[string][]byte{config.CertFile: cert, config.KeyFile: key} {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(6 * time.Minute)
		expect("after")

		// The next one is read while only half of it is written.
		cert, key = ca.Issue(t, "last")
		if err := os.WriteFile(config.CertFile, cert, 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Minute)
		expect("after")
		if err := os.WriteFile(config.KeyFile, key, 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(11 * time.Second)
		expect("last")
	})
}
