package transport

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/runtime/internal/testcert"
)

// TestCARotation rotates the CA of a server and the client's file of root certificates while
// a client is in use.
func TestCARotation(t *testing.T) {
	for name, protocols := range map[string][]string{"HTTP/2": nil, "HTTP/1": {"http/1.1"}} {
		t.Run(name, func(t *testing.T) {
			old, current := testcert.New(t), testcert.New(t)
			var cert atomic.Pointer[tls.Certificate]
			oldCert, newCert := old.Server(t), current.Server(t)
			cert.Store(&oldCert)
			server := serveTLS(t, func() tls.Certificate { return *cert.Load() }, nil)
			caPath := file(t, old.PEM)
			rt, err := New(&Config{TLS: TLSConfig{CAFile: caPath, NextProtos: protocols}})
			if err != nil {
				t.Fatal(err)
			}
			defer utilnet.CloseIdleConnectionsFor(rt)
			if _, err = get(rt, server.URL); err != nil {
				t.Fatal("before:", err)
			}

			cert.Store(&newCert)
			server.CloseClientConnections()
			var unverified *tls.CertificateVerificationError
			_, err = get(rt, server.URL)
			for range 100 { // until the client has seen that its connection is closed
				if !errors.As(err, &unverified) {
					_, err = get(rt, server.URL)
				}
			}
			if !errors.As(err, &unverified) {
				t.Fatalf("the server has a certificate of another CA, but got %v", err)
			}
			before := transportOf(t, rt)

			write(t, caPath, []byte("not PEM"))
			if _, err = get(rt, server.URL); !errors.As(err, &unverified) {
				t.Fatalf("a broken file makes a difference: %v", err)
			}
			write(t, caPath, nil)
			if _, err = get(rt, server.URL); !errors.As(err, &unverified) {
				t.Fatalf("an empty file makes a difference: %v", err)
			}
			if transportOf(t, rt) != before {
				t.Error("a broken file makes a new transport")
			}

			write(t, caPath, current.PEM)
			body := &closeRecorder{Reader: strings.NewReader("body")}
			req, err := http.NewRequest(http.MethodPost, server.URL, body)
			if err != nil {
				t.Fatal(err)
			}
			if sent, sendErr := rt.RoundTrip(req); sendErr == nil {
				drain(sent)
				t.Error("a request is sent over without its body")
			}
			if !body.closed.Load() {
				t.Error("the body of a request that failed was not closed")
			}
			resp, err := (&http.Client{Transport: rt}).Post(server.URL, "text/plain", strings.NewReader("body"))
			if err != nil {
				t.Fatal("after:", err)
			}
			drain(resp)
			if transportOf(t, rt) == before {
				t.Error("the transport is still the old one")
			}
		})
	}
}

// closeRecorder is a body that cannot be read after it is closed.
type closeRecorder struct {
	io.Reader
	closed atomic.Bool
}

func (c *closeRecorder) Read(p []byte) (int, error) {
	if c.closed.Load() {
		return 0, os.ErrClosed
	}
	return c.Reader.Read(p)
}

func (c *closeRecorder) Close() error {
	c.closed.Store(true)
	return nil
}

// TestCARotationSendsOver sends one request during the rotation, which succeeds.
func TestCARotationSendsOver(t *testing.T) {
	old, current := testcert.New(t), testcert.New(t)
	pair := current.Server(t)
	server := serveTLS(t, func() tls.Certificate { return pair }, nil)
	for _, want := range []string{"", "body"} {
		t.Run("with body "+want, func(t *testing.T) {
			caPath := file(t, old.PEM)
			rt, err := New(&Config{TLS: TLSConfig{CAFile: caPath}})
			if err != nil {
				t.Fatal(err)
			}
			defer utilnet.CloseIdleConnectionsFor(rt)
			write(t, caPath, current.PEM)
			newBody := func() (io.ReadCloser, error) { return &closeRecorder{Reader: strings.NewReader(want)}, nil }
			req, err := http.NewRequest(http.MethodPost, server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want != "" {
				req.Body, _ = newBody()
				req.GetBody, req.ContentLength = newBody, int64(len(want))
			}
			resp, err := rt.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer drain(resp)
			if got, readErr := io.ReadAll(resp.Body); readErr != nil || string(got) != want {
				t.Errorf("the server was sent %q, %v", got, readErr)
			}
		})
	}
}

// TestCAFileIsReadAgain checks that a CA that is no longer trusted is dropped in time, even if no
// connection fails.
func TestCAFileIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old, current := testcert.New(t), testcert.New(t)
		caPath := file(t, old.PEM)
		rt, err := New(&Config{TLS: TLSConfig{CAFile: caPath}, DialHolder: noDial})
		if err != nil {
			t.Fatal(err)
		}
		before := transportOf(t, rt)
		write(t, caPath, current.PEM)
		for _, step := range []struct {
			after   time.Duration
			changed bool
		}{{0, false}, {caFilePeriod - time.Second, false}, {time.Second, true}} {
			time.Sleep(step.after)
			if _, err := get(rt, "https://server"); !errors.Is(err, errNoDial) {
				t.Fatal(err)
			}
			if changed := transportOf(t, rt) != before; changed != step.changed {
				t.Errorf("changed: %v, want %v", changed, step.changed)
			}
		}
		if !transportOf(t, rt).TLSClientConfig.RootCAs.Equal(current.Pool()) {
			t.Error("the new transport does not trust the new CA alone")
		}
	})
}

// TestClientCertificateRotation changes the files of a client's certificate while it is in use.
func TestClientCertificateRotation(t *testing.T) {
	ca := testcert.New(t)
	pair := ca.Server(t)
	server := serveTLS(t, func() tls.Certificate { return pair }, ca)
	names := newCertPair(t, ca, "one")
	files := newCertFiles(names.cert, names.key)
	expire := func() { // as if a second had passed since the files were read
		files.mu.Lock()
		defer files.mu.Unlock()
		files.read = time.Time{}
	}
	transport := &http.Transport{
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{RootCAs: ca.Pool(), GetClientCertificate: files.certificate},
	}
	transport.DialContext = files.dial(transportOf(t, http.DefaultTransport).DialContext)
	defer transport.CloseIdleConnections()
	expect := func(what, want string) {
		t.Helper()
		if got, err := get(transport, server.URL); err != nil || got != want {
			t.Errorf("%s: the server saw %q, %v, want %q", what, got, err, want)
		}
	}
	expect("at first", "one")
	names.rotate(t, ca, "two")
	expect("the connection is open", "one")
	expire()
	files.refresh()
	expect("after the files were read", "two")

	write(t, names.key, []byte("not PEM"))
	expire()
	files.refresh()
	transport.CloseIdleConnections()
	expire()
	expect("with a broken key", "two")

	names.rotate(t, ca, "three")
	expire()
	transport.CloseIdleConnections()
	expect("with a new connection", "three")
}

// certPair is a certificate and its key in files.
type certPair struct {
	cert, key string
}

func newCertPair(t *testing.T, ca *testcert.CA, name string) certPair {
	t.Helper()
	pair := certPair{cert: file(t, nil), key: file(t, nil)}
	pair.rotate(t, ca, name)
	return pair
}

func (p certPair) rotate(t *testing.T, ca *testcert.CA, name string) {
	t.Helper()
	cert, key := ca.Issue(t, name)
	write(t, p.cert, cert)
	write(t, p.key, key)
}

// TestClientCertificateIsWatched checks that files are reloaded even if no connection is opened,
// and that this ends with the last reference.
func TestClientCertificateIsWatched(t *testing.T) {
	ca := testcert.New(t)
	synctest.Test(t, func(t *testing.T) {
		pair := newCertPair(t, ca, "one")
		files := newCertFiles(pair.cert, pair.key)
		files.watch(CertCallbackRefreshDuration)
		content := func() [sha256.Size]byte {
			files.mu.Lock()
			defer files.mu.Unlock()
			return files.content
		}
		before := content()
		pair.rotate(t, ca, "two")
		time.Sleep(CertCallbackRefreshDuration - time.Nanosecond)
		synctest.Wait()
		if content() != before {
			t.Error("the files were read too early")
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if content() == before {
			t.Error("the files were not read")
		}
		before = content()
		pair.rotate(t, ca, "three")
		time.Sleep(CertCallbackRefreshDuration)
		synctest.Wait()
		if content() == before {
			t.Error("the files were not read a second time")
		}
	})
}

func TestClientCertificateMissing(t *testing.T) {
	files := newCertFiles("/nowhere/cert", "/nowhere/key")
	if _, err := files.certificate(nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	ca := testcert.New(t)
	pair := newCertPair(t, ca, "one")
	files = newCertFiles(pair.cert, pair.key)
	cert, err := files.certificate(nil)
	if err != nil || !bytes.Contains(cert.Certificate[0], []byte("one")) {
		t.Errorf("got %v", err)
	}
}
